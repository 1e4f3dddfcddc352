import { playerLabels } from '../lobby/labels'
import { ERASED, type Match } from './match'

/**
 * Returns the labels by which a match is found: one for each player of the match, including players who have left, and one for each player
 * of a kept seat: the player who takes it, and the player who asked.
 */
export function matchLabels({ projectId, teams, keptSeats = [] }: Match): readonly string[] {
  const playerIds = teams.flatMap(({ players }) => players.map(({ playerId }) => playerId))
  const waiting = keptSeats.flatMap(({ playerId, keptBy }) => (keptBy === null ? [playerId] : [playerId, keptBy]))
  return playerLabels(
    projectId,
    [...playerIds, ...waiting].filter((playerId) => playerId !== ERASED),
  )
}
