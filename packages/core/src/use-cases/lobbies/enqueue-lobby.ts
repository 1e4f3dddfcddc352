import { gateFeature } from '../../billing/limits'
import { changeLobby } from '../../commit/change-lobby'
import { jobs } from '../../commit/jobs'
import type { CallOptions, Context } from '../../context/context'
import type { OnLobby } from '../../context/inputs'
import { accountOf, requireQueue } from '../../context/require'
import { ServiceError } from '../../errors/service-error'
import { enqueueLobby as decideEnqueue } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import { ticketTimeoutMs } from '../../queue/timeouts'
import { checkParty } from './check-party'

/**
 * The host sends the lobby to matchmaking.
 * Throws NOT_HOST, PLAN_LIMIT_EXCEEDED, QUEUE_DISABLED, MATCHMAKING_NOT_CONFIGURED, INVALID_LOBBY_STATE, PARTY_TOO_LARGE,
 * PARTY_CANNOT_MATCH, BUILD_NOT_READY.
 */
export function enqueueLobby(ctx: Context, input: OnLobby, call?: CallOptions): Promise<Lobby> {
  return changeLobby(
    ctx,
    input,
    async (lobby, plan) => {
      const decision = decideEnqueue(lobby, { by: input.playerId, ticketId: ctx.ids.next('tkt'), at: plan.at })
      if (!decision.ok && decision.rejected.code === 'NOT_HOST') return decision
      const account = await accountOf(ctx, lobby)
      const gate = gateFeature(account, 'matchmaking_enabled')
      if (!gate.ok) return gate
      const queue = await requireQueue(ctx, lobby.projectId, lobby.queueId)
      if (!queue.enabled) throw new ServiceError('QUEUE_DISABLED', `queue ${queue.queueId} is disabled`)
      if (!decision.ok) return decision
      // The form that was found enabled and whose timeout counts; the party is judged by a reading of its own.
      plan.check('queue', queue)
      const refused = await checkParty(ctx, lobby, plan)
      if (refused !== undefined) return refused
      plan.check('account', account)
      for (const event of decision.events) {
        if (event.type !== 'queue_entered') continue
        plan.job(jobs.expireTicket(lobby, event.ticketId, plan.at + ticketTimeoutMs(queue)))
      }
      return decision
    },
    call,
  )
}
