import { cancelMatchmaking as decideCancel } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import type { Context } from '../context'
import type { OnLobby } from '../inputs'
import { changeLobby } from './change-lobby'

/**
 * The host takes the lobby out of matchmaking; it is `waiting` once this is answered, and no match holds it afterwards: a match
 * commit expects the lobby's version. Throws NOT_HOST, INVALID_LOBBY_STATE.
 */
export function cancelMatchmaking(ctx: Context, input: OnLobby): Promise<Lobby> {
  return changeLobby(ctx, input, (lobby) => decideCancel(lobby, { by: input.playerId }))
}
