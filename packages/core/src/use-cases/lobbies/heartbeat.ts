import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { orThrow } from '../../errors/service-error'
import { memberOnly } from '../../lobby/decide'
import type { OnLobby } from '../../lobby/on-lobby'
import type { Service } from '../../node/service'
import { requireLobby } from '../../reads/require'

export async function heartbeat(ctx: Service, input: OnLobby, call?: CallOptions): Promise<void> {
  await transact(ctx, call, async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    orThrow(memberOnly(lobby, input.playerId))
    await ctx.node.presence.touchMember(lobby, input.playerId, ctx.clock.now())
    return { draft: new Draft(ctx.clock.now()), answer: null }
  })
}
