import type { CallOptions } from '../context/context'
import type { InProject } from '../context/inputs'
import type { QueueAnswer } from '../context/queue-warnings'
import type { Page } from '../shared/page'
import type { CreateQueueInput } from '../use-cases/queues/create-queue'
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
  update(input: UpdateQueueInput): Promise<QueueAnswer>

  /** Removes a queue in which no lobby lives. Throws QUEUE_NOT_FOUND, QUEUE_IN_USE. */
  delete(input: InProject & { readonly queueId: string }): Promise<void>

  /**
   * How a queue does: who searches now, and what the last hour's lobbies waited. All of it is kept with the commits, so it costs the
   * same however many search and were matched; the hour is read at most once a second. Throws QUEUE_NOT_FOUND.
   */
  stats(input: InProject & { readonly queueId: string }): Promise<QueueStats>
}
