import type { LobbyEvent } from '../../lobby/events'
import { partingOf } from '../../lobby/in-proposal'
import type { Lobby } from '../../lobby/lobby'
import { isHeldBy, proposalOf } from '../../lobby/stay'
import { expiryOf, isProposalExpired } from '../../match/proposal'
import { proposalOver } from './proposal-over'
import type { Consequence } from './register'

/** Ends a proposed match when one of its lobbies leaves it, for any reason. In the same commit, the other lobbies search again. */
export const proposalBroken: Consequence<Lobby, LobbyEvent> = {
  after: ['queue_left', 'queue_rejoined', 'lobby_matched', 'lobby_deleted'],
  async run(ctx, draft, { before, events, after }) {
    const held = proposalOf(before)
    if (held === undefined || isHeldBy(after, held.matchId)) return
    const match = await ctx.storage.get('match', held.matchId)
    if (match === undefined) return
    // A proposal whose deadline has passed counts as expired, even if its job has not run yet. In that case the players who did not answer
    // are blamed, and not the player who leaves.
    const ending = isProposalExpired(match, draft.at) ? expiryOf(match) : partingOf(before, events)
    await proposalOver(ctx, draft, match, { ...ending, besides: before.id })
  },
}
