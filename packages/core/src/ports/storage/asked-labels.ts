import { banLabel, playerLabel, settingLabels } from '../../lobby/labels'
import type { LobbyQuery } from './storage'

/** Returns the labels that a lobby must have to match a query. The labels contain the project id. */
export const askedLabels = ({ projectId, playerId, bannedId, settings }: LobbyQuery): readonly string[] => [
  ...(playerId === undefined ? [] : [playerLabel(projectId, playerId)]),
  ...(bannedId === undefined ? [] : [banLabel(projectId, bannedId)]),
  ...(settings === undefined ? [] : settingLabels(projectId, settings)),
]
