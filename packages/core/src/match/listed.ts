import type { Match, MatchStatus } from './match'
import { isMade } from './proposal'

/** Returns the status of a match in lists; null for a proposed match that was not made, which lists leave out. */
export const listedStatus = (match: Match): MatchStatus | null =>
  match.status === 'ended' && !isMade(match) ? null : match.status
