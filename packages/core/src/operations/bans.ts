import { deleteBan } from '../use-cases/bans/delete-ban'
import { getBan, listBans } from '../use-cases/bans/read-bans'
import { setBan } from '../use-cases/bans/set-ban'
import { PROJECT } from './callers'
import { type CallsOf, operation } from './operation'

/** Bans: players who may not play in a project, or in some of its queues. */
export const bans = {
  /**
   * Bans a player from the project, or from some of its queues. A present ban of the player is replaced as a whole. The searches of the
   * player end; a match that runs continues. Rejects with `BAN_NOT_FOUND`, `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`, `QUEUE_NOT_FOUND`.
   * Rejects with `BAN_LIMIT` when 10,000 bans of the project are in force.
   */
  set: operation({
    callers: PROJECT,
    role: 'support',
    fields: ['reason?', 'note?', 'until?', 'queues?', 'playerId', 'projectId', 'by?'],
    refusals: ['PROJECT_NOT_FOUND', 'QUEUE_NOT_FOUND', 'BAN_LIMIT', 'BAN_NOT_FOUND'],
    audit: 'always',
    run: setBan,
  }),

  /** Returns the ban of a player. Rejects with `PROJECT_NOT_FOUND`. Rejects with `BAN_NOT_FOUND`, also for a ban that has ended. */
  get: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['playerId', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND', 'BAN_NOT_FOUND'],
    run: getBan,
  }),

  /**
   * Returns a page of the project's bans, newest first. The list includes bans that ended within the last 30 days. Rejects with
   * `PROJECT_NOT_FOUND`, `VALIDATION_FAILED`.
   */
  list: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId', 'cursor?', 'offset?', 'limit?'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listBans,
  }),

  /** Lifts the ban of a player. Rejects with `PROJECT_NOT_FOUND`. Rejects with `BAN_NOT_FOUND`, also for a ban that has ended. */
  delete: operation({
    callers: PROJECT,
    role: 'support',
    fields: ['playerId', 'projectId'],
    refusals: ['PROJECT_NOT_FOUND', 'BAN_NOT_FOUND'],
    audit: 'always',
    run: deleteBan,
  }),
}

/**
 * Bans: players who may not play in a project, or in some of its queues.
 *
 * @interface
 */
export type Bans = CallsOf<typeof bans>
