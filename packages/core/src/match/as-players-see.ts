import type { Match } from './match'
import { withoutStats } from './result'

/**
 * Returns the match as players see it. Only backends see the build and the exit of the server's process, the open seats, requested or kept, the figures
 * of the players in the result, how even the match was, and how it was counted.
 */
export const asPlayersSee = ({
  backfill: _,
  keptSeats: __,
  counted: ___,
  quality: ____,
  build: _____,
  ...match
}: Match): Match => ({
  ...match,
  ...(match.result === undefined ? {} : { result: withoutStats(match.result) }),
  ...(match.ending === undefined ? {} : { ending: { ...match.ending, exitCode: null, exitSignal: null } }),
})
