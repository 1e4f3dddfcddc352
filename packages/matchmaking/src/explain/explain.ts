import { formatOf, type MatchFormat } from '../config/match-format'
import { runSteps } from '../run-steps'
import type { Explanation, MatchmakingConfig, SeatRequest, Ticket } from '../types'
import { Explainer, type Party } from './explainer'

/**
 * Returns the reasons why a ticket still waits among the other tickets; undefined when the ticket is not among
 * `tickets`. The reasons are: the parties that pass and fail each rule, the missing places, the running matches with
 * seats for the party, and the seconds from `now` (epoch milliseconds) to the next relaxation. The function is pure,
 * and its time is linear in the number of tickets. For a sample of a large pool, or for work in steps, use `Explainer`.
 */
export const explain = (
  config: MatchmakingConfig,
  tickets: readonly Ticket[],
  ticketId: string,
  now: number,
  requests: readonly SeatRequest[] = [],
): Explanation | undefined => explainIn(formatOf(config), tickets, ticketId, now, requests)

/** Returns the explanation of a ticket. `known` holds the values that earlier calls read from the tickets. */
export const explainIn = (
  format: MatchFormat,
  tickets: readonly Ticket[],
  ticketId: string,
  now: number,
  requests: readonly SeatRequest[],
  known?: WeakMap<Ticket, Party>,
): Explanation | undefined => {
  const ticket = tickets.find(({ id }) => id === ticketId)
  const explainer = new Explainer(format, tickets, tickets.length, requests, known)
  return ticket && runSteps(explainer.explain(ticket, now, tickets.length))
}
