import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { OnLobby } from '../../context/inputs'
import { cancelMatchmaking as decideCancel } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'

/**
 * The host takes the lobby out of matchmaking; it is `waiting` once this is answered, and no match holds it afterwards: a match
 * commit expects the lobby's version. Throws NOT_HOST, INVALID_LOBBY_STATE.
 */
export function cancelMatchmaking(ctx: Context, input: OnLobby, call?: CallOptions): Promise<Lobby> {
  return change(ctx, ofLobby, input, (lobby) => decideCancel(lobby, { by: input.playerId }), { call })
}
