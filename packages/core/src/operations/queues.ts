import { createQueue } from '../use-cases/queues/create-queue'
import { deleteQueue } from '../use-cases/queues/delete-queue'
import { ensureQueue } from '../use-cases/queues/ensure-queue'
import { listArrivals } from '../use-cases/queues/list-arrivals'
import { queueHistory, restoreQueue } from '../use-cases/queues/queue-history'
import { queueStats } from '../use-cases/queues/queue-stats'
import { getQueue, listQueues } from '../use-cases/queues/read-queues'
import { updateQueue } from '../use-cases/queues/update-queue'
import { BACKEND } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/** Queues: the settings of lobbies, matchmaking and game servers. */
export const queues = {
  /** Creates a queue. Rejects with `QUEUE_NOT_FOUND`, `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`, `QUEUE_EXISTS`, `RATING_NOT_FOUND`. */
  create: operation({
    callers: BACKEND,
    role: 'developer',
    fields: 'nested',
    refusals: ['PLAN_LIMIT_EXCEEDED', 'QUEUE_EXISTS', 'QUEUE_NOT_FOUND', 'RATING_NOT_FOUND'],
    audit: 'always',
    run: createQueue,
  }),

  /**
   * Returns the queue with the given settings: creates it, or changes the given settings that differ, with an entry in its history. Settings
   * that the call omits keep their values. Several processes may call it at the same time; the last call wins. Rejects with
   * `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`.
   */
  ensure: embedded({ fields: 'nested', run: ensureQueue }),

  /** Returns a queue with its present settings. Rejects with `QUEUE_NOT_FOUND`. */
  get: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['projectId', 'queueId'],
    refusals: ['QUEUE_NOT_FOUND'],
    run: getQueue,
  }),

  /** Returns a page of the project's queues, ordered by queue id. */
  list: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['projectId', 'limit?', 'offset?'],
    run: listQueues,
  }),

  /**
   * Changes the settings of a queue, from the next tick of its director on. Omitted fields keep their values. The entry times and deadlines
   * of tickets stay. Tickets that can no longer match return to `waiting`. A match that was formed under the old settings is not committed
   * after the change. Rejects with `QUEUE_NOT_FOUND`, `RATING_NOT_FOUND`, `VALIDATION_FAILED`.
   */
  update: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['queueId', 'changes', 'projectId', 'by?'],
    refusals: ['QUEUE_NOT_FOUND', 'RATING_NOT_FOUND'],
    audit: 'always',
    run: updateQueue,
  }),

  /** Deletes a queue that has no lobbies, and its history. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_IN_USE`. */
  delete: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['projectId', 'queueId'],
    refusals: ['QUEUE_NOT_FOUND', 'QUEUE_IN_USE'],
    audit: 'always',
    run: deleteQueue,
  }),

  /**
   * Returns live figures of a queue: the players and lobbies that search, and the waiting times of the last hour. Commits maintain these
   * figures, so the cost does not depend on the size of the queue. A node reads the figures of the hour at most once a second. Rejects with
   * `QUEUE_NOT_FOUND`.
   */
  stats: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['projectId', 'queueId'],
    refusals: ['QUEUE_NOT_FOUND'],
    run: queueStats,
  }),

  /**
   * Returns the stays of parties in a queue during the last day, at most 100,000. Ended stays come first, ordered by their end, oldest
   * first. The stays that continue follow. The state of each player holds the fields that matchmaking reads. A page holds up to 1,000
   * stays. A stay that ends between two pages may appear twice; the later entry shows its end. Rejects with `QUEUE_NOT_FOUND`,
   * `VALIDATION_FAILED`.
   */
  arrivals: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['queueId', 'since?', 'limit?', 'cursor?', 'projectId'],
    refusals: ['QUEUE_NOT_FOUND'],
    run: listArrivals,
  }),

  /**
   * Returns a page of the newest 100 versions of the queue's settings, newest first, each with its author and time. Rejects with
   * `QUEUE_NOT_FOUND`.
   */
  history: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['queueId', 'limit?', 'offset?', 'projectId'],
    refusals: ['QUEUE_NOT_FOUND'],
    run: queueHistory,
  }),

  /**
   * Restores the settings that a queue had at a version of its history. Restoring is a change as by `update`, and adds an entry to the
   * history. Rejects with `QUEUE_NOT_FOUND`, `QUEUE_VERSION_NOT_FOUND`, `RATING_NOT_FOUND`,
   * `VALIDATION_FAILED`.
   */
  restore: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['queueId', 'version', 'projectId', 'by?'],
    refusals: ['QUEUE_NOT_FOUND', 'QUEUE_VERSION_NOT_FOUND', 'RATING_NOT_FOUND'],
    audit: 'always',
    run: restoreQueue,
  }),
}

/**
 * Queues: the settings of lobbies, matchmaking and game servers.
 *
 * @interface
 */
export type Queues = CallsOf<typeof queues>
