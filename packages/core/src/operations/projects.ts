import { createProject } from '../use-cases/projects/create-project'
import { deleteProject } from '../use-cases/projects/delete-project'
import { ensureProject } from '../use-cases/projects/ensure-project'
import { getProject } from '../use-cases/projects/get-project'
import { listProjects } from '../use-cases/projects/list-projects'
import { getPlayerAuth, setPlayerAuth } from '../use-cases/projects/player-auth'
import { SESSION } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/** Projects: the owners of keys, queues, lobbies, builds and servers. */
export const projects = {
  /**
   * Makes a project that is usable at once: both its first keys come with it (docs/http-api.md §2). Rejects with `PLAN_LIMIT_EXCEEDED`,
   * `VALIDATION_FAILED`.
   */
  create: operation({
    callers: SESSION,
    fields: ['accountId', 'name'],
    refusals: ['PLAN_LIMIT_EXCEEDED'],
    run: createProject,
  }),

  /**
   * The project of this name, made with its account when there is none yet: for embedders and for demos, which start again and again on
   * the same data. Several processes may ask at once.
   */
  ensure: embedded({
    fields: ['name', 'email?', 'passwordHash?', 'plan?'],
    run: ensureProject,
  }),

  /** A project of the account. Rejects with `PROJECT_NOT_FOUND`. */
  get: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: getProject,
  }),

  /** A page of the account's projects, oldest first. */
  list: operation({
    callers: SESSION,
    fields: ['accountId', 'limit?', 'offset?'],
    run: listProjects,
  }),

  /**
   * Ends a project for good. Its keys fail from the answer on; its lobbies, queues and builds are ended by a job, its servers' intervals
   * stay for billing (docs/http-api.md §2). Rejects with `PROJECT_NOT_FOUND`, `PROJECT_HAS_RUNNING_SERVERS`.
   */
  delete: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND', 'PROJECT_HAS_RUNNING_SERVERS'],
    run: deleteProject,
  }),

  /**
   * Sets how players of the project prove their identity (docs/http-api.md §11). `trusted` accepts `x-player-id`; `signed` requires a token of
   * one of up to five issuers. A generated secret is only in this answer. Rejects with `PROJECT_NOT_FOUND`, `VALIDATION_FAILED`,
   * `WEBHOOK_ADDRESS_REFUSED`.
   */
  setPlayerAuth: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId', 'mode', 'issuers?'],
    refusals: ['PROJECT_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED'],
    run: setPlayerAuth,
  }),

  /** How the project's players prove who they are, without secrets. Rejects with `PROJECT_NOT_FOUND`. */
  getPlayerAuth: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: getPlayerAuth,
  }),
}

/** Projects: the owners of keys, queues, lobbies, builds and servers. */
export type Projects = CallsOf<typeof projects>
