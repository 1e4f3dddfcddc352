import type { CallOptions } from '../../commit/call-options'
import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { accept } from '../../errors/decision'
import { orThrow } from '../../errors/service-error'
import { hostOrBackend, noInviteCodes } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'
import type { Service } from '../../node/service'
import { requireQueue } from '../../reads/require'
import { actingOn } from './acting-on'
import { drawInvite } from './invite'

export function renewInviteCode(ctx: Service, input: OnLobbyByBackend, call?: CallOptions): Promise<Lobby> {
  const { playerId: by, backend } = input
  return change(
    ctx,
    ofLobby,
    actingOn(input),
    async (lobby, draft) => {
      orThrow(hostOrBackend(lobby, { by, backend }))
      const queue = await requireQueue(ctx, lobby.projectId, lobby.queueId)
      const inviteCode = await drawInvite(ctx, queue, true)
      if (inviteCode === null) return noInviteCodes(lobby)
      draft.check('queue', queue)
      return accept({ type: 'settings_changed', changes: { inviteCode } })
    },
    { call },
  )
}
