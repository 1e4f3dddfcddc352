import type { CallOptions } from '../../commit/call-options'
import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { decideRemovePlayer as decideRemove } from '../../lobby/decide'
import type { OnLobby } from '../../lobby/on-lobby'
import type { Service } from '../../node/service'
import { queueKey } from '../../queue/queue'

export function leaveLobby(ctx: Service, input: OnLobby, call?: CallOptions): Promise<void> {
  return removePlayer(ctx, { ...input, targetPlayerId: input.playerId }, call)
}

export interface RemovePlayerInput extends OnLobby {
  /** Player who is removed. */
  readonly targetPlayerId: string
}

export async function removePlayer(ctx: Service, input: RemovePlayerInput, call?: CallOptions): Promise<void> {
  const { playerId: by, targetPlayerId: playerId } = input
  await change(
    ctx,
    ofLobby,
    input,
    async (lobby) => {
      const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
      return decideRemove(lobby, { playerId, by, hostLeaveBehavior: queue?.hostLeaveBehavior ?? 'promote' })
    },
    { call, answer: () => null },
  )
}
