import { EXIT_REASONS, type ExitReason } from '../lobby/last-exit'
import type { Match, MatchStatus } from './match'
import { isMade } from './proposal'

/** Returns the status of a match in lists; null for a proposed match that was not made, which lists leave out. */
export const listedStatus = (match: Match): MatchStatus | null =>
  match.status === 'ended' && !isMade(match) ? null : match.status

/** Whether the player is or was in the match. A match in which only a seat is kept for the player is not a match of the player. */
export const hasPlayed = ({ teams, result }: Match, playerId: string): boolean =>
  [...teams, ...(result === undefined ? [] : [result])].some(({ players }) =>
    players.some((player) => player.playerId === playerId),
  )

/** Returns the text by which a storage finds the ended matches of a build with one reason, or its matches that have not ended. */
export const outcomePlace = (buildId: string, reason: ExitReason | null): string => `${buildId}/${reason ?? ''}`

/** Returns the `outcomePlace` of a match; null for a match without a build, and for a match that is in no list. */
export const buildOutcomeOf = (match: Match): string | null =>
  match.build === undefined || listedStatus(match) === null
    ? null
    : outcomePlace(match.build.id, match.ending?.reason ?? null)

/** Status and reason of the end by which matches are listed. */
interface AskedOutcome {
  readonly status?: MatchStatus
  readonly endReason?: ExitReason
}

/** Returns the places of the matches of a build: of one reason of the end, or of a status. */
export const outcomePlaces = (buildId: string, { status, endReason }: AskedOutcome): string[] => {
  if (endReason !== undefined) return [outcomePlace(buildId, endReason)]
  const ended = EXIT_REASONS.map((reason) => outcomePlace(buildId, reason))
  if (status === 'ended') return ended
  const live = outcomePlace(buildId, null)
  return status === undefined ? [live, ...ended] : [live]
}
