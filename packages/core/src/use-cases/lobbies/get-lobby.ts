import { unavailableInsteadOf } from '../../commit/transact'
import { asSeenBy } from '../../lobby/as-seen'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'
import { noteRead } from '../../node/note-read'
import type { Service } from '../../node/service'
import { requireLobby } from '../../reads/require'

/**
 * Returns the present lobby. Members and backends see all fields of it (`asSeenBy`). A member's call counts as a heartbeat. Throws
 * LOBBY_NOT_FOUND.
 */
export function getLobby(ctx: Service, input: OnLobbyByBackend): Promise<Lobby> {
  return unavailableInsteadOf(async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    await noteRead(ctx, lobby, input)
    return asSeenBy(lobby, input)
  })
}
