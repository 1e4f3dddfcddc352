import type { CallOptions } from '../../commit/call-options'
import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { decideDeclineProposal as decideDecline } from '../../lobby/in-proposal'
import type { Lobby } from '../../lobby/lobby'
import { proposalOf } from '../../lobby/stay'
import type { Service } from '../../node/service'
import type { AnswerInput } from './proposal-answers'

export function declineProposal(ctx: Service, input: AnswerInput, call?: CallOptions): Promise<Lobby> {
  let { matchId } = input
  return change(
    ctx,
    ofLobby,
    input,
    (lobby, { at }) => {
      // The first attempt fixes the proposal: when the commit conflicts and is attempted again, the answer must not decline a later
      // proposal.
      matchId ??= proposalOf(lobby)?.matchId
      return decideDecline(lobby, { playerId: input.playerId, matchId, at })
    },
    { call },
  )
}
