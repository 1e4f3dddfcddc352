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
  /** A sentence for a developer. */
  readonly reason: string
  /** Players whose doing it was. */
  readonly blamed: readonly string[]
  /** The lobby whose own change ends it: it is in the draft already. */
  readonly besides?: string
}

/**
 * A proposed match is not made, in one commit: parties with a silent player wait, where it has expired, and all others continue to search with
 * their age, judged by the present queue. Returns the held lobbies as the commit will leave them; none where the proposal is already settled.
 */
export async function proposalOver(ctx: Ports, draft: Draft, match: Match, ending: ProposalEnding): Promise<Lobby[]> {
  const events = fallThrough(match, ending, draft.at)
  if (events.length === 0 || match.proposal === undefined) return []
  const queue = await ctx.storage.get('queue', queueKey(match.projectId, match.queueId))
  const lobbies = await ctx.storage.getMany('lobby', match.lobbyIds)
  const silent = new Set(ending.outcome === 'expired' ? silentIn(match).map(({ lobbyId }) => lobbyId) : [])
  // Returning parties were admitted by this version of the queue: a change of the queue checks the waiting parties once, at its own time.
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
