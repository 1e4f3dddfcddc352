import { playerLabels } from '../lobby/labels'
import { ERASED, type Match } from './match'

/**
 * Returns the labels by which a match is found: one for each player, including players who have left, and players for whom or by whom a
 * seat is kept.
 */
export function matchLabels({ projectId, teams, keptSeats = [] }: Match): readonly string[] {
  const playerIds = teams.flatMap(({ players }) => players.map(({ playerId }) => playerId))
  const waiting = keptSeats.flatMap(({ playerId, keptBy }) => (keptBy === null ? [playerId] : [playerId, keptBy]))
  return playerLabels(
    projectId,
    [...playerIds, ...waiting].filter((playerId) => playerId !== ERASED),
  )
}
