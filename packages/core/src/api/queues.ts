import type { CallOptions } from '../context/context'
import type { InProject } from '../context/inputs'
import type { QueueAnswer } from '../context/queue-warnings'
import type { QueueHistoryEntry } from '../queue/queue-version'
import type { Page } from '../shared/page'
import type { CreateQueueInput } from '../use-cases/queues/create-queue'
import type { ArrivalsPage, ListArrivalsInput } from '../use-cases/queues/list-arrivals'
import type { QueueHistoryInput, RestoreQueueInput } from '../use-cases/queues/queue-history'
import type { QueueStats } from '../use-cases/queues/queue-stats'
import type { UpdateQueueInput } from '../use-cases/queues/update-queue'

/** Queues: the settings of lobbies, matchmaking and game servers. */
export interface Queues {
  /** Makes a queue. Throws PLAN_LIMIT_EXCEEDED, VALIDATION_FAILED, QUEUE_EXISTS. */
  create(input: CreateQueueInput, call?: CallOptions): Promise<QueueAnswer>

  /** A queue, as its settings are now. Throws QUEUE_NOT_FOUND. */
  get(input: InProject & { readonly queueId: string }): Promise<QueueAnswer>

  /** A page of the project's queues, by queue id. */
  list(
    input: InProject & { readonly limit?: number | undefined; readonly offset?: number | undefined },
  ): Promise<Page<QueueAnswer>>

  /**
   * Changes a queue from the next tick on: omitted fields are kept, entry times and deadlines stay, tickets that can no longer match
   * return to `waiting`, and no match formed under the old settings is committed after it. Throws QUEUE_NOT_FOUND, VALIDATION_FAILED.
   */
  update(input: UpdateQueueInput, call?: CallOptions): Promise<QueueAnswer>

  /** Removes a queue in which no lobby lives, and its history. Throws QUEUE_NOT_FOUND, QUEUE_IN_USE. */
  delete(input: InProject & { readonly queueId: string }, call?: CallOptions): Promise<void>

  /**
   * How a queue does: who searches now, and what the last hour's lobbies waited. All of it is kept with the commits, so it costs the
   * same however many search and were matched; the hour is read at most once a second. Throws QUEUE_NOT_FOUND.
   */
  stats(input: InProject & { readonly queueId: string }): Promise<QueueStats>

  /**
   * The stays in a queue of the last day, 100,000 at the most, oldest first by when they ended, and then those that go on. Of each
   * player's state it tells the fields that matchmaking read. A page holds up to 1,000; a stay that ends while it is read may be told
   * twice, last as it ended. Throws QUEUE_NOT_FOUND, VALIDATION_FAILED.
   */
  arrivals(input: ListArrivalsInput): Promise<ArrivalsPage>

  /** Who changed the queue, when and what: its newest 100 versions, newest first. Throws QUEUE_NOT_FOUND. */
  history(input: QueueHistoryInput): Promise<Page<QueueHistoryEntry>>

  /**
   * Gives a queue the settings again that it had at a version of its history: a change as by `update`, with a step of the history of
   * its own. Throws QUEUE_NOT_FOUND, QUEUE_VERSION_NOT_FOUND, VALIDATION_FAILED.
   */
  restore(input: RestoreQueueInput, call?: CallOptions): Promise<QueueAnswer>
}
