import { banLabel, playerLabel, settingLabels } from '../../lobby/labels'
import type { LobbyQuery } from './storage'

/** The labels that a lobby must have to be among those asked for; they name the project. */
export const askedLabels = ({ projectId, playerId, bannedId, settings }: LobbyQuery): readonly string[] => [
  ...(playerId === undefined ? [] : [playerLabel(projectId, playerId)]),
  ...(bannedId === undefined ? [] : [banLabel(projectId, bannedId)]),
  ...(settings === undefined ? [] : settingLabels(projectId, settings)),
]
