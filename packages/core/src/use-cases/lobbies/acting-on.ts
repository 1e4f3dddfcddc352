import type { OnOneLobby } from '../../commit/of-lobby'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'

/** Returns the lobby of an action, by the player, or by the backend in the name of any player. */
export const actingOn = ({ projectId, lobbyId, playerId, backend }: OnLobbyByBackend): OnOneLobby => ({
  projectId,
  lobbyId,
  ...(backend || playerId === undefined ? {} : { playerId }),
})
