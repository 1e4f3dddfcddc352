import { unavailableInsteadOf } from '../../commit/transact'
import { asSeenBy } from '../../lobby/as-seen'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'
import { noteRead } from '../../node/note-read'
import type { Service } from '../../node/service'
import { type LobbyAnswer, withLobbyWarnings } from '../../reads/lobby-warnings'
import { requireLobby } from '../../reads/require'

/**
 * Returns the present lobby. Members and backends see all fields of it (`asSeenBy`). A member's call counts as a heartbeat. Throws
 * LOBBY_NOT_FOUND.
 */
export function getLobby(ctx: Service, input: OnLobbyByBackend): Promise<LobbyAnswer> {
  return unavailableInsteadOf(async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    await noteRead(ctx, lobby, input)
    return withLobbyWarnings(ctx, asSeenBy(lobby, input))
  })
}
