import { gateFeature } from '../../billing/limits'
import type { CallOptions } from '../../commit/call-options'
import type { Draft } from '../../commit/draft'
import { endIfMatched } from '../../commit/end-other-searches'
import { enter } from '../../commit/enter'
import { ofLobby } from '../../commit/of-lobby'
import { ratedStates } from '../../commit/rated-states'
import { change } from '../../commit/transact'
import { accept, type Decision } from '../../errors/decision'
import { orThrow } from '../../errors/service-error'
import { decideEnqueueLobby as decideEnqueue, hostOnly } from '../../lobby/decide'
import type { LobbyEvent } from '../../lobby/events'
import { evolveLobby } from '../../lobby/evolve'
import type { Lobby } from '../../lobby/lobby'
import { playerIdsOf } from '../../lobby/members'
import type { ByClient, OnLobby } from '../../lobby/on-lobby'
import { settleStates } from '../../lobby/trusted-state'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { takesLobbies } from '../../queue/decide'
import { fieldRightsOf } from '../../queue/field-rights'
import { ticketTimeoutMs } from '../../queue/timeouts'
import { recentPlayers } from '../../reads/recent-players'
import { accountOf, requireQueue } from '../../reads/require'
import { checkParty } from './check-party'
import { checkPlayers } from './check-players'

/** Entering the queue. `client`: the client that makes the call; absent for a backend, which vouches for the presence of the players. */
export interface EnqueueLobbyInput extends OnLobby, ByClient {}

export async function enqueueLobby(ctx: Service, input: EnqueueLobbyInput, call?: CallOptions): Promise<Lobby> {
  const lobby = await change(ctx, ofLobby, input, (now, draft) => decide(ctx, input, now, draft, call), { call })
  return endIfMatched(ctx, lobby)
}

async function decide(
  ctx: Ports,
  input: EnqueueLobbyInput,
  lobby: Lobby,
  draft: Draft,
  call: CallOptions | undefined,
): Promise<Decision<LobbyEvent>> {
  // The limits of the plan are checked after the caller's right and before the lobby's state (docs/http-api.md §1).
  const { playerId: by, client } = input
  orThrow(hostOnly(lobby, by))
  const { into } = await enter(ctx, draft, input, playerIdsOf(lobby))
  const account = await accountOf(ctx, lobby)
  const gate = gateFeature(account, 'matchmaking_enabled')
  if (!gate.ok) return gate
  const queue = await requireQueue(ctx, lobby.projectId, lobby.queueId)
  into(queue.queueId)
  const at = draft.at
  const given = {
    by,
    ticketId: ctx.ids.next('tkt'),
    at,
    expiresAt: at + ticketTimeoutMs(queue),
    trace: call?.trace,
    byBackend: client === undefined,
  }
  const allowed = decideEnqueue(lobby, given)
  if (!allowed.ok) return allowed
  orThrow(takesLobbies(queue))
  // The commit checks that the queue still has this version: it was enabled, and it gave the timeout. Another read checks the party.
  draft.check('queue', queue)
  const settled = settleStates(lobby, fieldRightsOf(queue))
  const rated = await ratedStates(ctx, draft, queue, settled.reduce(evolveLobby, lobby))
  const dropped = [...settled, ...rated]
  await checkPlayers(ctx, queue, lobby, at)
  await checkParty(ctx, dropped.reduce(evolveLobby, lobby), draft)
  draft.check('account', account)
  // This is the largest read, so a refused call does without it.
  const decision = decideEnqueue(lobby, { ...given, recent: await recentPlayers(ctx, queue, playerIdsOf(lobby), at) })
  return decision.ok ? accept(...dropped, ...decision.events) : decision
}
