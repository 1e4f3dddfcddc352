import type { Explanation } from '@matchyard/matchmaking'
import type { QueueTicket } from '../lobby/queue-ticket'

/** Compares a ticket with others of its queue. */
export interface Comparison {
  explain(ticket: QueueTicket): Explanation
}
