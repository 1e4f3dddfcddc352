import type { CallOptions } from '../../commit/call-options'
import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { decideCancelMatchmaking as decideCancel } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobby } from '../../lobby/on-lobby'
import type { Service } from '../../node/service'

export function cancelMatchmaking(ctx: Service, input: OnLobby, call?: CallOptions): Promise<Lobby> {
  return change(ctx, ofLobby, input, (lobby) => decideCancel(lobby, { by: input.playerId }), { call })
}
