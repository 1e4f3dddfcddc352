import { changeLobby } from '../../commit/change-lobby'
import type { CallOptions, Context } from '../../context/context'
import type { OnLobby } from '../../context/inputs'
import { ServiceError } from '../../errors/service-error'
import { removePlayer as decideRemove } from '../../lobby/decide'
import { isHost, memberOf } from '../../lobby/members'
import { queueKey } from '../../queue/queue'

/** The caller leaves; a queued lobby goes back to waiting. Throws LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY. */
export function leaveLobby(ctx: Context, input: OnLobby, call?: CallOptions): Promise<void> {
  return removePlayer(ctx, { ...input, targetPlayerId: input.playerId }, call)
}

export interface RemovePlayerInput extends OnLobby {
  readonly targetPlayerId: string
}

/** Leaves (self) or kicks (the host another). Throws NOT_HOST, PLAYER_NOT_IN_LOBBY (of kind `absent` when addressed). */
export async function removePlayer(ctx: Context, input: RemovePlayerInput, call?: CallOptions): Promise<void> {
  await changeLobby(
    ctx,
    input,
    async (lobby) => {
      const { playerId: by, targetPlayerId: playerId } = input
      const kick = by !== playerId
      if (kick && isHost(lobby, by) && memberOf(lobby, playerId) === undefined) {
        throw new ServiceError(
          'PLAYER_NOT_IN_LOBBY',
          `there is no player ${JSON.stringify(playerId)} in ${lobby.id}`,
          {},
          'absent',
        )
      }
      const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
      return decideRemove(lobby, { playerId, by, hostLeaveBehavior: queue?.hostLeaveBehavior ?? 'promote' })
    },
    call,
  )
}
