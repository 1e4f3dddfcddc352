import type { Match } from './match'
import { withoutStats } from './result'

/**
 * Returns the match as players see it. Only backends see the exit of the server's process, the open seats, requested or kept, and the
 * figures of the players in the result.
 */
export const asPlayersSee = ({ backfill: _, keptSeats: __, ...match }: Match): Match => ({
  ...match,
  ...(match.result === undefined ? {} : { result: withoutStats(match.result) }),
  ...(match.ending === undefined ? {} : { ending: { ...match.ending, exitCode: null, exitSignal: null } }),
})
