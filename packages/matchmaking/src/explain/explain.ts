import { formatOf, type MatchFormat } from '../config/match-format'
import { runSteps } from '../run-steps'
import type { Explanation, MatchmakingConfig, SeatRequest, Ticket } from '../types'
import { Explainer, type Party } from './explainer'

/**
 * Why a ticket is still waiting beside the others: which rules keep them apart, which places nobody fills, how many matches it
 * could join, and when (in seconds from `now`, epoch milliseconds) something loosens. Undefined where the ticket is not among `tickets`. Pure, and linear in
 * their number; for a part of a large pool, or in steps, there is `Explainer`.
 */
export const explain = (
  config: MatchmakingConfig,
  tickets: readonly Ticket[],
  ticketId: string,
  now: number,
  requests: readonly SeatRequest[] = [],
): Explanation | undefined => explainIn(formatOf(config), tickets, ticketId, now, requests)

/** Returns the explanation of a ticket; `known` holds the values read from tickets before. */
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
