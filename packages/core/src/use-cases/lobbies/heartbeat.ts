import { Plan } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { OnLobby } from '../../context/inputs'
import { requireLobby } from '../../context/require'
import { ServiceError } from '../../errors/service-error'
import { memberOf } from '../../lobby/members'

/** Says that a member is still there. Throws LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY. */
export async function heartbeat(ctx: Context, input: OnLobby, call?: CallOptions): Promise<void> {
  await transact(ctx, call, async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    if (memberOf(lobby, input.playerId) === undefined) {
      throw new ServiceError('PLAYER_NOT_IN_LOBBY', `player ${JSON.stringify(input.playerId)} is not in ${lobby.id}`)
    }
    await ctx.presence.touch(lobby.id, input.playerId, ctx.clock.now())
    return { plan: new Plan(ctx.clock.now()), answer: null }
  })
}
