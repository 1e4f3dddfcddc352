import { playerLabels } from '../lobby/labels'
import { ERASED, type Match } from './match'

/** Returns the labels by which a match is found: one for each player, players who have left included. */
export function matchLabels({ projectId, teams }: Match): readonly string[] {
  const playerIds = teams.flatMap(({ players }) => players.map(({ playerId }) => playerId))
  return playerLabels(
    projectId,
    playerIds.filter((playerId) => playerId !== ERASED),
  )
}
