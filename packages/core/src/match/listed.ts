import type { Match, MatchStatus } from './match'
import { isMade } from './proposal'

/** The status by which lists know a match; null for a proposal that came to nothing, which never was a match. */
export const listedStatus = (match: Match): MatchStatus | null =>
  match.status === 'ended' && !isMade(match) ? null : match.status
