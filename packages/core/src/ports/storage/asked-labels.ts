import { playerLabel, settingLabels } from '../../lobby/labels'
import type { LobbyQuery } from './storage'

/** The labels that a lobby must have to be among those asked for; they name the project. */
export const askedLabels = ({ projectId, playerId, settings }: LobbyQuery): readonly string[] => [
  ...(playerId === undefined ? [] : [playerLabel(projectId, playerId)]),
  ...(settings === undefined ? [] : settingLabels(projectId, settings)),
]
