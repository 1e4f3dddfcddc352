import type { OnOneLobby } from '../../commit/of-lobby'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'

/** Returns the lobby that an action changes. The caller is the player, or the backend on behalf of any player. */
export const actingOn = ({ projectId, lobbyId, playerId, backend }: OnLobbyByBackend): OnOneLobby => ({
  projectId,
  lobbyId,
  ...(backend || playerId === undefined ? {} : { playerId }),
})
