import type { CallOptions } from '../../commit/call-options'
import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { decideDeleteLobby as decideDelete } from '../../lobby/decide'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'
import type { Service } from '../../node/service'

export async function deleteLobby(ctx: Service, input: OnLobbyByBackend, call?: CallOptions): Promise<void> {
  const by = { by: input.playerId, backend: input.backend }
  await change(ctx, ofLobby, input, (lobby) => decideDelete(lobby, by), { call, answer: () => null })
}
