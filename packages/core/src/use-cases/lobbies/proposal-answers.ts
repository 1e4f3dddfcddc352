import type { CallOptions } from '../../commit/call-options'
import { idempotently } from '../../commit/idempotency'
import { unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import { asSeenBy } from '../../lobby/as-seen'
import { unasked } from '../../lobby/in-proposal'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobby } from '../../lobby/on-lobby'
import { proposalOf } from '../../lobby/stay'
import type { Service } from '../../node/service'
import { lobbyNow, requireLobby } from '../../reads/require'
import { type Accepting, AnsweringRound } from './answering-round'

export interface AnswerInput extends OnLobby {
  /** Id of the proposed match, so that the answer never counts for a later proposal. Default: the lobby's present proposal. */
  readonly matchId?: string | undefined
}

/** Maximum number of answers in one commit. */
const MAX_TOGETHER = 100
/** Maximum number of answers that wait on this node. */
const MAX_WAITING = 10_000

/**
 * Collects the answers of players who accept a proposed match. A node commits its answers together for each match. A hundred answers at
 * once thus need only a few commits, and nodes seldom conflict. Collecting only saves work: when commits conflict, the versions of the rows
 * decide.
 */
export class ProposalAnswers {
  private readonly waiting = new Map<string, Accepting[]>()
  private count = 0

  constructor(private readonly ctx: Service) {}

  /**
   * Accepts the proposed match for a member. The last member to accept gets the lobby in `matched`. Repeating the call changes nothing.
   * Throws LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY, NO_PROPOSAL, PROPOSAL_CHANGED.
   */
  accept(input: AnswerInput, call?: CallOptions): Promise<Lobby> {
    const accept = async () => {
      const lobby = await this.answered(input, call)
      await this.ctx.node.presence.touchMember(lobby, input.playerId, this.ctx.clock.now())
      return asSeenBy(lobby, { playerId: input.playerId, backend: false })
    }
    return unavailableInsteadOf(() => idempotently(this.ctx, call, accept, ({ id }) => lobbyNow(this.ctx, input, id)))
  }

  private async answered(input: AnswerInput, call: CallOptions | undefined): Promise<Lobby> {
    const lobby = await requireLobby(this.ctx, input.projectId, input.lobbyId)
    // The proposal is fixed before the first attempt: when the commit conflicts and is attempted again, the answer must not accept a later
    // proposal.
    const matchId = input.matchId ?? proposalOf(lobby)?.matchId ?? lobby.matchId
    if (matchId === null) throw ServiceError.of(unasked(lobby, input.playerId).rejected)
    if (this.count >= MAX_WAITING)
      throw new ServiceError('UNAVAILABLE', 'too many answers to proposals are being processed; try again shortly')
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(matchId) ?? []
      this.waiting.set(matchId, line)
      line.push({ input: { ...input, matchId }, call, resolve, reject })
      this.count++
      void this.ctx.node.turns.run(`answers ${matchId}`, () => this.serve(matchId))
    })
  }

  /** Handles the calls that wait at this moment; later calls are handled by a later run. Never throws. */
  private async serve(matchId: string): Promise<void> {
    const line = this.waiting.get(matchId) ?? []
    const accepting = line.splice(0, MAX_TOGETHER)
    if (line.length === 0) this.waiting.delete(matchId)
    this.count -= accepting.length
    if (accepting.length > 0) await new AnsweringRound(this.ctx, matchId, accepting).run()
  }
}
