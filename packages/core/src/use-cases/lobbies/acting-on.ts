import type { OnOneLobby } from '../../commit/of-lobby'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'

/** The lobby that is acted on: by the player, or by the backend, whoever it names. */
export const actingOn = ({ projectId, lobbyId, playerId, backend }: OnLobbyByBackend): OnOneLobby => ({
  projectId,
  lobbyId,
  ...(backend || playerId === undefined ? {} : { playerId }),
})
