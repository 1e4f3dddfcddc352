import { gateFeature } from '../../billing/limits'
import type { Draft } from '../../commit/draft'
import { enter } from '../../commit/enter'
import { ofLobby } from '../../commit/of-lobby'
import { ratedStates } from '../../commit/rated-states'
import { change } from '../../commit/transact'
import { accept, type Decision } from '../../errors/decision'
import { isNotFound, ServiceError } from '../../errors/service-error'
import type { CarriedByStay } from '../../lobby/carried'
import type { LobbyEvent } from '../../lobby/events'
import { evolveLobby } from '../../lobby/evolve'
import type { Lobby } from '../../lobby/lobby'
import { playerIdsOf } from '../../lobby/members'
import { giveUpReturn, pendingStay, putBack } from '../../lobby/requeue'
import { settleStates } from '../../lobby/trusted-state'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { takesLobbies } from '../../queue/decide'
import { fieldRightsOf } from '../../queue/field-rights'
import { requeuesOnFailure } from '../../queue/queue'
import { recentPlayers } from '../../reads/recent-players'
import { accountOf, requireQueue } from '../../reads/require'
import { checkParty } from './check-party'
import { checkPlayers } from './check-players'

/**
 * Puts a lobby back into its queue after a failed launch. When the queue no longer admits the lobby, the lobby stays in `waiting`. A lobby
 * without a pending return is not changed, so a late or repeated run does no harm.
 */
export async function requeueLobby(ctx: Service, lobbyId: string): Promise<void> {
  const lobby = await ctx.storage.get('lobby', lobbyId)
  if (lobby === undefined || pendingStay(lobby) === undefined) return
  try {
    const target = { projectId: lobby.projectId, lobbyId }
    await change(ctx, ofLobby, target, (current, draft) => decide(ctx, current, draft), { answer: () => null })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

async function decide(ctx: Ports, lobby: Lobby, draft: Draft): Promise<Decision<LobbyEvent>> {
  if (pendingStay(lobby) === undefined) return accept()
  try {
    const admitted = await admit(ctx, lobby, draft)
    if (admitted === undefined) return giveUpReturn(lobby)
    const { dropped, ...met } = admitted
    const decision = putBack(lobby, { ticketId: ctx.ids.next('tkt'), at: draft.at, ...met })
    return decision.ok ? accept(...dropped, ...decision.events) : decision
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    ctx.logger.info('a lobby is not put back into its queue', { lobby: lobby.id, code: error.code })
    return giveUpReturn(lobby)
  }
}

interface Admitted extends Pick<CarriedByStay, 'recent'> {
  readonly dropped: readonly LobbyEvent[]
}

/**
 * Checks that the lobby may enter its queue now, as when its host enters it. The commit checks that the rows read here have not changed.
 * Returns the events that remove unproven values from the states of the players, and the players met before; undefined when the queue, or the
 * plan, admits no lobby.
 */
async function admit(ctx: Ports, lobby: Lobby, draft: Draft): Promise<Admitted | undefined> {
  const [account, queue] = await Promise.all([accountOf(ctx, lobby), requireQueue(ctx, lobby.projectId, lobby.queueId)])
  const admits = requeuesOnFailure(queue) && takesLobbies(queue).ok && gateFeature(account, 'matchmaking_enabled').ok
  if (!admits) return undefined
  const by = { projectId: lobby.projectId, playerId: lobby.hostPlayerId }
  const { into } = await enter(ctx, draft, by, playerIdsOf(lobby))
  into(queue.queueId)
  draft.check('account', account).check('queue', queue)
  const settled = settleStates(lobby, fieldRightsOf(queue))
  const rated = await ratedStates(ctx, draft, queue, settled.reduce(evolveLobby, lobby))
  const dropped = [...settled, ...rated]
  await checkPlayers(ctx, queue, lobby, draft.at)
  await checkParty(ctx, dropped.reduce(evolveLobby, lobby), draft)
  const recent = await recentPlayers(ctx, queue, playerIdsOf(lobby), draft.at)
  return { dropped, ...(recent && { recent }) }
}
