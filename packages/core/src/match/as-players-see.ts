import type { Match } from './match'

/** Returns the match as players see it. Only backends see the exit of the server's process, the open seats, requested or kept, and how the match was counted. */
export const asPlayersSee = ({ backfill: _, keptSeats: __, counted: ___, ...match }: Match): Match =>
  match.ending === undefined ? match : { ...match, ending: { ...match.ending, exitCode: null, exitSignal: null } }
