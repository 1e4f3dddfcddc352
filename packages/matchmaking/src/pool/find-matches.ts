import type { MatchmakingConfig, Proposal, Ticket } from '../types'
import { createPool } from './pool'

/**
 * The matches that can be made of these tickets at `now` (epoch milliseconds), longest waiting served first. Pure: the same
 * tickets give the same proposals, in whatever order they are listed. Tickets that could never match are passed over.
 */
export const findMatches = (config: MatchmakingConfig, tickets: readonly Ticket[], now: number): Proposal[] => {
  const pool = createPool(config)
  for (const ticket of tickets) pool.add(ticket)
  return pool.tick(now)
}
