import type { Match } from './match'

/** Match as messages of webhooks and consumers contain it. */
export type MatchInMessage = Omit<Match, 'counted'>

/** Returns a match as messages contain it: without `counted`, which serves amendments of the result only. */
export const inMessage = ({ counted: _, ...match }: Match): MatchInMessage => match
