import { createQueue } from '../use-cases/queues/create-queue'
import { deleteQueue } from '../use-cases/queues/delete-queue'
import { listArrivals } from '../use-cases/queues/list-arrivals'
import { queueHistory, restoreQueue } from '../use-cases/queues/queue-history'
import { queueStats } from '../use-cases/queues/queue-stats'
import { getQueue, listQueues } from '../use-cases/queues/read-queues'
import { updateQueue } from '../use-cases/queues/update-queue'
import { BACKEND } from './callers'
import { type CallsOf, operation } from './operation'

/** Queues: the settings of lobbies, matchmaking and game servers. */
export const queues = {
  /** Makes a queue. Rejects with `QUEUE_NOT_FOUND`, `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`, `QUEUE_EXISTS`. */
  create: operation({
    callers: BACKEND,
    fields: 'nested',
    refusals: ['PLAN_LIMIT_EXCEEDED', 'QUEUE_EXISTS', 'QUEUE_NOT_FOUND'],
    run: createQueue,
  }),

  /** A queue, as its settings are now. Rejects with `QUEUE_NOT_FOUND`. */
  get: operation({
    callers: BACKEND,
    fields: ['projectId', 'queueId'],
    refusals: ['QUEUE_NOT_FOUND'],
    run: getQueue,
  }),

  /** A page of the project's queues, by queue id. */
  list: operation({
    callers: BACKEND,
    fields: ['projectId', 'limit?', 'offset?'],
    run: listQueues,
  }),

  /**
   * Changes a queue from the next tick on: omitted fields are kept, entry times and deadlines stay, tickets that can no longer match
   * return to `waiting`, and no match formed under the old settings is committed after it. Rejects with `QUEUE_NOT_FOUND`,
   * `VALIDATION_FAILED`.
   */
  update: operation({
    callers: BACKEND,
    fields: ['queueId', 'changes', 'projectId', 'by?'],
    refusals: ['QUEUE_NOT_FOUND'],
    run: updateQueue,
  }),

  /** Removes a queue in which no lobby lives, and its history. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_IN_USE`. */
  delete: operation({
    callers: BACKEND,
    fields: ['projectId', 'queueId'],
    refusals: ['QUEUE_NOT_FOUND', 'QUEUE_IN_USE'],
    run: deleteQueue,
  }),

  /**
   * Returns live figures of a queue: the players and lobbies that search, and the waiting times of the last hour. Commits maintain these
   * figures, so the cost does not depend on the size of the queue. The hour is read at most once a second. Rejects with `QUEUE_NOT_FOUND`.
   */
  stats: operation({
    callers: BACKEND,
    fields: ['projectId', 'queueId'],
    refusals: ['QUEUE_NOT_FOUND'],
    run: queueStats,
  }),

  /**
   * The stays in a queue of the last day, 100,000 at the most, oldest first by when they ended, and then those that go on. Of each
   * player's state it tells the fields that matchmaking read. A page holds up to 1,000; a stay that ends while it is read may be told
   * twice, last as it ended. Rejects with `QUEUE_NOT_FOUND`, `VALIDATION_FAILED`.
   */
  arrivals: operation({
    callers: BACKEND,
    fields: ['queueId', 'since?', 'limit?', 'cursor?', 'projectId'],
    refusals: ['QUEUE_NOT_FOUND'],
    run: listArrivals,
  }),

  /** Returns the newest 100 versions of the queue's settings, newest first, each with its author and time. Rejects with `QUEUE_NOT_FOUND`. */
  history: operation({
    callers: BACKEND,
    fields: ['queueId', 'limit?', 'offset?', 'projectId'],
    refusals: ['QUEUE_NOT_FOUND'],
    run: queueHistory,
  }),

  /**
   * Gives a queue the settings again that it had at a version of its history: a change as by `update`, with a step of the history of its
   * own. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_VERSION_NOT_FOUND`, `VALIDATION_FAILED`.
   */
  restore: operation({
    callers: BACKEND,
    fields: ['queueId', 'version', 'projectId', 'by?'],
    refusals: ['QUEUE_NOT_FOUND', 'QUEUE_VERSION_NOT_FOUND'],
    run: restoreQueue,
  }),
}

/** Queues: the settings of lobbies, matchmaking and game servers. */
export type Queues = CallsOf<typeof queues>
