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
