import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { OnLobbyByBackend } from '../../context/inputs'
import { noteRead } from '../../context/note-read'
import { requireLobby } from '../../context/require'
import { asSeenBy } from '../../lobby/as-seen'
import type { Lobby } from '../../lobby/lobby'

/** A lobby as it is now, whole for members and backends (`asSeenBy`); a member who asks is seen by it. Throws LOBBY_NOT_FOUND. */
export function getLobby(ctx: Context, input: OnLobbyByBackend): Promise<Lobby> {
  return unavailableInsteadOf(async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    await noteRead(ctx, lobby, input)
    return asSeenBy(lobby, input)
  })
}
