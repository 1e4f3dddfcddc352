import type { OnOneLobby } from '../../commit/of-lobby'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'

/** Returns the lobby and the acting player of a call. The caller is the player, or the backend for any player. */
export const actingOn = ({ projectId, lobbyId, playerId, backend }: OnLobbyByBackend): OnOneLobby => ({
  projectId,
  lobbyId,
  ...(backend || playerId === undefined ? {} : { playerId }),
})
