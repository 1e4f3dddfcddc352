import { playerLabels } from '../lobby/labels'
import { ERASED, type Match } from './match'

/**
 * Returns the labels by which a match is found: one for each player of the match, including players who have left, one for each player of
 * its result, and one for each player of a kept seat: the player who takes it, and the player who asked.
 */
export function matchLabels({ projectId, teams, keptSeats = [], result }: Match): readonly string[] {
  // The roster drops the oldest players who left, but the result may still name them.
  const rosters = [...teams, ...(result === undefined ? [] : [result])]
  const playerIds = rosters.flatMap(({ players }) => players.map(({ playerId }) => playerId))
  const waiting = keptSeats.flatMap(({ playerId, keptBy }) => (keptBy === null ? [playerId] : [playerId, keptBy]))
  return playerLabels(
    projectId,
    [...playerIds, ...waiting].filter((playerId) => playerId !== ERASED),
  )
}
