import { unavailableInsteadOf } from '../../commit/transact'
import { asSeenBy } from '../../lobby/as-seen'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'
import { noteRead } from '../../node/note-read'
import type { Service } from '../../node/service'
import { requireLobby } from '../../reads/require'

/** A lobby as it is now, whole for members and backends (`asSeenBy`); a member who asks is seen by it. Throws LOBBY_NOT_FOUND. */
export function getLobby(ctx: Service, input: OnLobbyByBackend): Promise<Lobby> {
  return unavailableInsteadOf(async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    await noteRead(ctx, lobby, input)
    return asSeenBy(lobby, input)
  })
}
