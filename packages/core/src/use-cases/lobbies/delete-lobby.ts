import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { OnLobbyByBackend } from '../../context/inputs'
import { deleteLobby as decideDelete } from '../../lobby/decide'

/** Ends a lobby in any state; the match of others goes on without it. Throws LOBBY_NOT_FOUND, NOT_HOST. */
export async function deleteLobby(ctx: Context, input: OnLobbyByBackend, call?: CallOptions): Promise<void> {
  const by = { by: input.playerId, backend: input.backend }
  await change(ctx, ofLobby, input, (lobby) => decideDelete(lobby, by), { call, answer: () => null })
}
