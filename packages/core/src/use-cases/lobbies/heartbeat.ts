import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { OnLobby } from '../../context/inputs'
import { requireLobby } from '../../context/require'
import { orThrow } from '../../errors/service-error'
import { memberOnly } from '../../lobby/decide'

/** Says that a member is still there. Throws LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY. */
export async function heartbeat(ctx: Context, input: OnLobby, call?: CallOptions): Promise<void> {
  await transact(ctx, call, async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    orThrow(memberOnly(lobby, input.playerId))
    await ctx.presence.touchMember(lobby, input.playerId, ctx.clock.now())
    return { draft: new Draft(ctx.clock.now()), answer: null }
  })
}
