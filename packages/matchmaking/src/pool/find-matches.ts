import type { MatchmakingConfig, Proposal, SeatRequest, Ticket } from '../types'
import { createPool } from './pool'

/**
 * The matches that can be made of these tickets at `now` (epoch milliseconds), longest waiting served first, and the fills of open
 * seats. Pure: the same tickets and requests give the same proposals, in whatever order they are listed. Tickets that could never
 * match are passed over.
 */
export const findMatches = (
  config: MatchmakingConfig,
  tickets: readonly Ticket[],
  now: number,
  requests: readonly SeatRequest[] = [],
): Proposal[] => {
  const pool = createPool(config)
  for (const ticket of tickets) pool.add(ticket)
  for (const request of requests) pool.addRequest(request)
  return pool.tick(now)
}
