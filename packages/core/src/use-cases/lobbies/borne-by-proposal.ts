import { stillFits } from '../../commit/still-fits'
import { accept, type Decision } from '../../errors/decision'
import type { LobbyEvent } from '../../lobby/events'
import { leaveProposal } from '../../lobby/in-proposal'
import type { Lobby } from '../../lobby/lobby'
import { proposalOf } from '../../lobby/stay'
import type { Service } from '../../node/service'
import { engineRegions } from '../../reads/machines'
import { requireQueue } from '../../reads/require'

/**
 * Cancels the match that is proposed to the lobby, when a change of the lobby no longer fits the match. No player is blamed, and the lobby
 * searches again with its new state.
 */
export async function borneByProposal(
  ctx: Service,
  decision: Decision<LobbyEvent>,
  after: Lobby,
  at: number,
): Promise<Decision<LobbyEvent>> {
  const held = proposalOf(after)
  const match = held && (await ctx.storage.get('match', held.matchId))
  if (!decision.ok || match === undefined) return decision
  const queue = await requireQueue(ctx, match.projectId, match.queueId)
  const lobbies = await ctx.storage.getMany('lobby', match.lobbyIds)
  if (
    stillFits(
      queue,
      match,
      lobbies.map((lobby) => (lobby.id === after.id ? after : lobby)),
      await engineRegions(ctx, queue),
    )
  )
    return decision
  // The caller has just checked that the party may wait in the queue.
  const given = { isSilent: false, fitsQueue: true, ticketId: ctx.ids.next('tkt'), at }
  return accept(...decision.events, ...leaveProposal(after, match.id, given))
}
