import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { accept, type Decision } from '../../errors/decision'
import { isNotFound } from '../../errors/service-error'
import { leaveQueue } from '../../lobby/decide'
import type { LobbyEvent } from '../../lobby/events'
import { evolveLobby } from '../../lobby/evolve'
import { leaveProposal } from '../../lobby/in-proposal'
import type { Lobby } from '../../lobby/lobby'
import { proposalOf, stayOf } from '../../lobby/stay'
import { needsSettling, settleStates } from '../../lobby/trusted-state'
import type { Service } from '../../node/service'
import { admitParty } from '../../queue/decide'
import { fieldRightsOf } from '../../queue/field-rights'
import { type Queue, queueKey } from '../../queue/queue'
import { lobbiesOfQueue } from '../../reads/lobbies-of-queue'
import { borneByProposal } from './borne-by-proposal'

/**
 * Removes values of fields that became trusted from the players in the queue's lobbies, unless the values are proven, and marks fields that
 * became private. A searching party that can no longer match returns to `waiting`.
 */
export async function settleStatesOfQueue(ctx: Service, projectId: string, queueId: string): Promise<void> {
  const queue = await ctx.storage.get('queue', queueKey(projectId, queueId))
  if (queue === undefined) return
  const rights = fieldRightsOf(queue)
  if (rights.trusted.length + rights.hidden.length === 0) return
  for await (const lobbies of lobbiesOfQueue(ctx, projectId, queueId)) {
    const holding = lobbies.filter((lobby) => needsSettling(lobby, rights))
    await Promise.all(holding.map(({ id }) => settleIn(ctx, projectId, id)))
  }
}

async function settleIn(ctx: Service, projectId: string, lobbyId: string): Promise<void> {
  try {
    await change(ctx, ofLobby, { projectId, lobbyId }, async (lobby, draft) => {
      const queue = await ctx.storage.get('queue', queueKey(projectId, lobby.queueId))
      return queue === undefined ? accept() : settled(ctx, queue, lobby, draft.at)
    })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

async function settled(ctx: Service, queue: Queue, lobby: Lobby, at: number): Promise<Decision<LobbyEvent>> {
  const events = settleStates(lobby, fieldRightsOf(queue))
  const after = events.reduce(evolveLobby, lobby)
  if (events.length === 0 || stayOf(after) === undefined) return accept(...events)
  if (admitParty(queue, { lobbyId: lobby.id, players: after.players }).ok) {
    return borneByProposal(ctx, accept(...events), after, at)
  }
  const held = proposalOf(after)
  const given = { isSilent: false, fitsQueue: false, ticketId: '', at }
  if (held !== undefined) return accept(...events, ...leaveProposal(after, held.matchId, given))
  const left = leaveQueue(after, 'unmatchable')
  return left.ok ? accept(...events, ...left.events) : left
}
