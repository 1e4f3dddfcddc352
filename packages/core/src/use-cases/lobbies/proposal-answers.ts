import type { CallOptions } from '../../commit/call-options'
import { idempotently } from '../../commit/idempotency'
import { unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import { unasked } from '../../lobby/in-proposal'
import type { Lobby } from '../../lobby/lobby'
import type { OnLobby } from '../../lobby/on-lobby'
import { proposalOf } from '../../lobby/stay'
import type { Service } from '../../node/service'
import { lobbyNow, requireLobby } from '../../reads/require'
import { type Accepting, AnsweringRound } from './answering-round'

export interface AnswerInput extends OnLobby {
  /** The proposal that is meant, so that the answer is never taken for one to the next. Default: the one that holds the lobby. */
  readonly matchId?: string | undefined
}

/** Answers of one match that one commit holds. */
const MAX_TOGETHER = 100
/** Answers that wait on this node. */
const MAX_WAITING = 10_000

/**
 * Where players who accept a proposed match wait for their answer. Those of a node are put into one commit per match: a hundred at
 * once are a few commits, and nodes seldom meet. It only saves work: versions decide what came first.
 */
export class ProposalAnswers {
  private readonly waiting = new Map<string, Accepting[]>()
  private count = 0

  constructor(private readonly ctx: Service) {}

  /**
   * A member accepts the proposed match; the last one to do so is answered the lobby in `matched`. Again is fine.
   * Throws LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY, NO_PROPOSAL, PROPOSAL_CHANGED.
   */
  accept(input: AnswerInput, call?: CallOptions): Promise<Lobby> {
    const accept = async () => {
      const lobby = await this.answered(input, call)
      await this.ctx.node.presence.touchMember(lobby, input.playerId, this.ctx.clock.now())
      return lobby
    }
    return unavailableInsteadOf(() => idempotently(this.ctx, call, accept, ({ id }) => lobbyNow(this.ctx, input, id)))
  }

  private async answered(input: AnswerInput, call: CallOptions | undefined): Promise<Lobby> {
    const lobby = await requireLobby(this.ctx, input.projectId, input.lobbyId)
    // The meant proposal is fixed now: after a lost race the answer must not accept the next proposal.
    const matchId = input.matchId ?? proposalOf(lobby)?.matchId ?? lobby.matchId
    if (matchId === null) throw ServiceError.of(unasked(lobby, input.playerId).rejected)
    if (this.count >= MAX_WAITING)
      throw new ServiceError('UNAVAILABLE', 'too many answers wait here; try again shortly')
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(matchId) ?? []
      this.waiting.set(matchId, line)
      line.push({ input: { ...input, matchId }, call, resolve, reject })
      this.count++
      void this.ctx.node.turns.run(`answers ${matchId}`, () => this.serve(matchId))
    })
  }

  /** Serves the callers so far; later callers get a turn of their own. Never throws. */
  private async serve(matchId: string): Promise<void> {
    const line = this.waiting.get(matchId) ?? []
    const accepting = line.splice(0, MAX_TOGETHER)
    if (line.length === 0) this.waiting.delete(matchId)
    this.count -= accepting.length
    if (accepting.length > 0) await new AnsweringRound(this.ctx, matchId, accepting).run()
  }
}
