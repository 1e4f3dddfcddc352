import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { OnLobbyByBackend } from '../../context/inputs'
import { requireLobby } from '../../context/require'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'

/** A lobby as it is now; a member who asks is seen by it. Throws LOBBY_NOT_FOUND. */
export function getLobby(ctx: Context, input: OnLobbyByBackend): Promise<Lobby> {
  return unavailableInsteadOf(async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    if (!input.backend) await seen(ctx, lobby, input.playerId)
    return lobby
  })
}

/** Reads with a server key do not keep a lobby from being idle (docs/http-api.md §6). */
async function seen(ctx: Context, lobby: Lobby, playerId: string | undefined): Promise<void> {
  const member = memberOf(lobby, playerId)
  if (member !== undefined) await ctx.presence.touch(lobby.id, member.playerId, ctx.clock.now())
}
