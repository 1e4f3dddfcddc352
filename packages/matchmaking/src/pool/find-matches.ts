import type { MatchmakingConfig, Proposal, SeatRequest, Ticket } from '../types'
import { createPool } from './pool'

/**
 * Returns the matches that can be made of these tickets at `now` (epoch milliseconds), and the tickets that can take
 * open seats of running matches (fills). Older tickets are served first. The function is pure: the same tickets and
 * requests give the same proposals, in any order of the lists. Tickets that can never match are ignored.
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
