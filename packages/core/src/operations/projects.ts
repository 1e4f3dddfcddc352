import { getBudget, setBudget } from '../use-cases/projects/budget'
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
   * Creates a project with a client key and a server key, so that it can be used at once (docs/http-api.md §2). Rejects with
   * `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`.
   */
  create: operation({
    callers: SESSION,
    fields: ['accountId', 'name'],
    refusals: ['PLAN_LIMIT_EXCEEDED'],
    audit: 'always',
    run: createProject,
  }),

  /**
   * Returns the project with this name. Creates the project and its account when they do not exist. The call is meant for embedding
   * applications and demos that start again on the same data. Several processes may call it at the same time.
   */
  ensure: embedded({
    fields: ['name', 'email?', 'passwordHash?', 'plan?'],
    run: ensureProject,
  }),

  /** Returns a project of the account. Rejects with `PROJECT_NOT_FOUND`. */
  get: operation({
    callers: SESSION,
    role: 'viewer',
    fields: ['accountId', 'projectId', 'personId?'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: getProject,
  }),

  /** Returns a page of the account's projects, oldest first, then of the projects of which the account is a member. */
  list: operation({
    callers: SESSION,
    fields: ['accountId', 'limit?', 'offset?'],
    run: listProjects,
  }),

  /**
   * Deletes a project permanently. Its keys are refused once the call has resolved; a job then removes its lobbies, queues and builds. The
   * running times of its servers are kept for billing (docs/http-api.md §2). Rejects with `PROJECT_NOT_FOUND`,
   * `PROJECT_HAS_RUNNING_SERVERS`.
   */
  delete: operation({
    callers: SESSION,
    role: 'owner',
    fields: ['accountId', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND', 'PROJECT_HAS_RUNNING_SERVERS'],
    audit: 'always',
    run: deleteProject,
  }),

  /**
   * Sets how the project's players prove their identity (docs/http-api.md §11). `trusted` accepts the header `x-player-id`; `signed`
   * requires a token of one of up to five issuers. Only this call returns a generated secret. Rejects with `PROJECT_NOT_FOUND`,
   * `VALIDATION_FAILED`, `WEBHOOK_ADDRESS_REFUSED`.
   */
  setPlayerAuth: operation({
    callers: SESSION,
    role: 'admin',
    fields: ['accountId', 'projectId', 'mode', 'issuers?'],
    refusals: ['PROJECT_NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED'],
    audit: 'always',
    run: setPlayerAuth,
  }),

  /** Returns how the project's players prove their identity, without secrets. Rejects with `PROJECT_NOT_FOUND`. */
  getPlayerAuth: operation({
    callers: SESSION,
    role: 'viewer',
    fields: ['accountId', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: getPlayerAuth,
  }),

  /**
   * Sets the amount that a month (UTC) of the project may cost; null removes it. The service opens the problem `budget_near` at 80 % of it, or
   * when the forecast passes it, and `budget_passed` when it is spent. It stops no servers. Rejects with `PROJECT_NOT_FOUND`,
   * `VALIDATION_FAILED`.
   */
  setBudget: operation({
    callers: SESSION,
    role: 'admin',
    fields: ['accountId', 'projectId', 'monthlyMicroUsd'],
    refusals: ['PROJECT_NOT_FOUND'],
    audit: 'always',
    run: setBudget,
  }),

  /** Returns the budget of the project, with the cost of the present month and its forecast. Rejects with `PROJECT_NOT_FOUND`. */
  getBudget: operation({
    callers: SESSION,
    role: 'viewer',
    fields: ['accountId', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: getBudget,
  }),
}

/**
 * Projects: the owners of keys, queues, lobbies, builds and servers.
 *
 * @interface
 */
export type Projects = CallsOf<typeof projects>
