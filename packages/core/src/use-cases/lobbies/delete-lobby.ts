import { deleteLobby as decideDelete } from '../../lobby/decide'
import type { Context } from '../context'
import type { OnLobbyByBackend } from '../inputs'
import { changeLobby } from './change-lobby'

/** Ends a lobby in any state; the match of others goes on without it. Throws LOBBY_NOT_FOUND, NOT_HOST. */
export async function deleteLobby(ctx: Context, input: OnLobbyByBackend): Promise<void> {
  await changeLobby(ctx, input, (lobby) => decideDelete(lobby, { by: input.playerId, backend: input.backend }))
}
