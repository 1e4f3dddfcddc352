import { playerLabels } from '../lobby/labels'
import { ERASED, type Match } from './match'

/** The words by which a match is found: its players, those who have left too. */
export function matchLabels({ projectId, teams }: Match): readonly string[] {
  const playerIds = teams.flatMap(({ players }) => players.map(({ playerId }) => playerId))
  return playerLabels(
    projectId,
    playerIds.filter((playerId) => playerId !== ERASED),
  )
}
