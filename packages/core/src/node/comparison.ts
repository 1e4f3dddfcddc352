import type { Explanation } from '@matchyard/matchmaking'
import type { QueueTicket } from '../lobby/queue-ticket'

/** Comparison of a ticket with a sample of the other tickets of its queue. */
export interface Comparison {
  explain(ticket: QueueTicket): Explanation
}
