import { leaveProposal } from '../../lobby/in-proposal'
import type { Lobby } from '../../lobby/lobby'
import { isHeldBy } from '../../lobby/stay'
import type { Match, ProposalOutcome } from '../../match/match'
import { fallThrough, silentIn } from '../../match/proposal'
import type { Ports } from '../../ports/ports'
import { admitParty } from '../../queue/decide'
import { queueKey } from '../../queue/queue'
import { SECOND_MS } from '../../shared/time'
import type { Draft } from '../draft'
import { coolDown } from '../rows/cooldown'
import { writeLobby } from '../rows/lobby'
import { writeMatch } from '../rows/match'

export interface ProposalEnding {
  readonly outcome: Exclude<ProposalOutcome, 'accepted'>
  /** Reason for the end of the proposal, as a sentence for a developer. */
  readonly reason: string
  /** Players who caused the end of the proposal. They get the penalty that the queue's settings define. */
  readonly blamed: readonly string[]
  /** Lobby whose change ends the proposal. The draft already contains the change. */
  readonly besides?: string
}

/**
 * Ends a proposed match that is not made, in one commit. When the proposal expired, parties with a player who did not answer return to
 * `waiting`. All other parties search again and keep their waiting time, if the current settings of the queue admit them. Returns the
 * lobbies of the proposal in their state after the commit; no lobbies when the proposal has already ended.
 */
export async function proposalOver(ctx: Ports, draft: Draft, match: Match, ending: ProposalEnding): Promise<Lobby[]> {
  const events = fallThrough(match, ending, draft.at)
  if (events.length === 0 || match.proposal === undefined) return []
  const queue = await ctx.storage.get('queue', queueKey(match.projectId, match.queueId))
  const lobbies = await ctx.storage.getMany('lobby', match.lobbyIds)
  const silent = new Set(ending.outcome === 'expired' ? silentIn(match).map(({ lobbyId }) => lobbyId) : [])
  // The parties search again because they fit this version of the queue. When the queue changes, its waiting parties are checked, but that
  // check could miss these parties. The commit therefore expects this version of the queue.
  if (queue !== undefined) draft.check('queue', queue)
  const after = lobbies
    .filter((lobby) => lobby.id !== ending.besides && isHeldBy(lobby, match.id))
    .map((lobby) => {
      const fitsQueue = queue !== undefined && admitParty(queue, { lobbyId: lobby.id, players: lobby.players }).ok
      const given = { isSilent: silent.has(lobby.id), fitsQueue, ticketId: ctx.ids.next('tkt'), at: draft.at }
      return writeLobby(draft, lobby, leaveProposal(lobby, match.id, given))
    })
  writeMatch(draft, match, events)
  const { penaltySeconds } = match.proposal
  if (penaltySeconds > 0) await coolDown(ctx, draft, match, ending.blamed, draft.at + penaltySeconds * SECOND_MS)
  return after
}
