import type { CallOptions } from '../../commit/call-options'
import { proposalOver } from '../../commit/consequences/proposal-over'
import { Draft } from '../../commit/draft'
import { makeProposed } from '../../commit/make-match'
import { type KeptAnswer, keptAnswer, recordAnswer } from '../../commit/outcome'
import { writeLobby } from '../../commit/rows/lobby'
import { writeMatch } from '../../commit/rows/match'
import { apply, MAX_CONTENDED_TRIES } from '../../commit/transact'
import type { Decision } from '../../errors/decision'
import { orThrow, ServiceError } from '../../errors/service-error'
import type { LobbyEvent } from '../../lobby/events'
import { acceptProposal } from '../../lobby/in-proposal'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { OnLobby } from '../../lobby/on-lobby'
import type { MatchEvent } from '../../match/events'
import { evolveMatchAll } from '../../match/evolve'
import type { Match } from '../../match/match'
import { acceptBy, acceptedOf, isAcceptedByAll, isProposed, wasAcceptedBy } from '../../match/proposal'
import type { Service } from '../../node/service'
import type { CommitConflict } from '../../ports/storage/index'

/** Call of a player who accepts a proposed match. */
export interface Accepting {
  readonly input: OnLobby & { readonly matchId: string }
  readonly call: CallOptions | undefined
  resolve(lobby: Lobby): void
  reject(error: unknown): void
}

/** Commit of one attempt, and the lobbies as they are after it. */
interface Try {
  readonly draft: Draft
  readonly lobbies: readonly Lobby[]
}

const noLobby = (lobbyId: string) => new ServiceError('LOBBY_NOT_FOUND', `there is no lobby ${JSON.stringify(lobbyId)}`)

/** Records the answers of several players of one proposed match in one commit. The answer of the last player also makes the match. */
export class AnsweringRound {
  private left: readonly Accepting[]
  /** Whether the plan of the account allowed no further match at the last attempt. */
  private isBarred = false

  constructor(
    private readonly ctx: Service,
    private readonly matchId: string,
    accepting: readonly Accepting[],
  ) {
    this.left = accepting
  }

  /** Resolves every call with the lobby, or rejects it with an error. */
  async run(): Promise<void> {
    try {
      for (let lost = 0; this.left.length > 0; lost++) {
        if (lost >= MAX_CONTENDED_TRIES)
          throw new ServiceError('CONFLICT', 'other players kept answering at the same time; try again')
        await this.once()
      }
    } catch (error) {
      for (const accepting of this.left) this.refuse(accepting, error)
    }
  }

  private async once(): Promise<void> {
    const { storage, clock } = this.ctx
    const lobbyIds = [...new Set(this.left.map(({ input }) => input.lobbyId))]
    const lobbies = new Map((await storage.getMany('lobby', lobbyIds)).map((lobby) => [lobby.id, lobby]))
    const match = await storage.get('match', this.matchId)
    const at = clock.now()
    for (const accepting of this.left) this.refuseWhoMayNot(accepting, match, lobbies, at)
    if (this.left.length === 0) return
    // The proposal ended after the lobbies were read.
    if (match === undefined || !isProposed(match)) return
    const { draft, lobbies: after } = await this.decide(match, [...lobbies.values()], at)
    await this.commit(draft, new Map([...lobbies, ...after.map((lobby) => [lobby.id, lobby] as const)]))
  }

  /**
   * Checks each call separately: a refused call is rejected with its reason, and the other calls remain. A player who had already accepted
   * gets the present state.
   */
  private refuseWhoMayNot(
    accepting: Accepting,
    match: Match | undefined,
    lobbies: ReadonlyMap<string, Lobby>,
    at: number,
  ): void {
    const { input } = accepting
    const lobby = lobbies.get(input.lobbyId)
    try {
      if (lobby === undefined) throw noLobby(input.lobbyId)
      const isMember = memberOf(lobby, input.playerId) !== undefined && lobby.matchId === this.matchId
      const isMine = isMember && match !== undefined && wasAcceptedBy(match, input.playerId)
      if (isMine) this.answer([accepting], lobbies)
      else orThrow(this.decision(lobby, input.playerId, 0, at))
    } catch (error) {
      this.refuse(accepting, error)
    }
  }

  private decision(lobby: Lobby, playerId: string, accepted: number, at: number): Decision<LobbyEvent> {
    return acceptProposal(lobby, { playerId, matchId: this.matchId, accepted, at })
  }

  private async decide(match: Match, lobbies: readonly Lobby[], at: number): Promise<Try> {
    const events = acceptBy(
      match,
      this.left.map(({ input }) => input.playerId),
      at,
    )
    const answered = evolveMatchAll(match, events)
    const accepted = acceptedOf(answered)
    const eventsOf = (lobby: Lobby) => this.answersIn(lobby, accepted, at)
    if (isAcceptedByAll(answered)) return this.make(match, events, lobbies, at)
    const draft = new Draft(at)
    writeMatch(draft, match, events)
    return { draft, lobbies: lobbies.map((lobby) => writeLobby(draft, lobby, eventsOf(lobby))) }
  }

  private answersIn(lobby: Lobby, accepted: number, at: number): LobbyEvent[] {
    const players = new Set(
      this.left.filter(({ input }) => input.lobbyId === lobby.id).map(({ input }) => input.playerId),
    )
    return [...players].flatMap((playerId) => {
      const decision = this.decision(lobby, playerId, accepted, at)
      return decision.ok ? decision.events : []
    })
  }

  /** Makes the match. When the match is no longer possible, ends the proposal without blaming a player. */
  private async make(match: Match, events: readonly MatchEvent[], lobbies: readonly Lobby[], at: number): Promise<Try> {
    const needed = acceptedOf(evolveMatchAll(match, events))
    const byId = new Map(lobbies.map((lobby) => [lobby.id, lobby]))
    const eventsOf = (lobbyId: string) => {
      const lobby = byId.get(lobbyId)
      return lobby === undefined ? [] : this.answersIn(lobby, needed, at)
    }
    const made = this.isBarred ? undefined : await makeProposed(this.ctx, { match, events, eventsOf, at })
    if (made !== undefined) return made
    const draft = new Draft(at)
    const reason = "the queue, a player's state, a ban or the plan no longer allows this match"
    return { draft, lobbies: await proposalOver(this.ctx, draft, match, { outcome: 'impossible', reason, blamed: [] }) }
  }

  private async commit(draft: Draft, lobbies: ReadonlyMap<string, Lobby>): Promise<void> {
    const accepting = this.left
    const kept = new Map<string, KeptAnswer>()
    for (const { input, call } of accepting) {
      if (call?.idempotency === undefined) continue
      const { lobbyId: id } = input
      const known = kept.get(id) ?? keptAnswer({ answer: lobbies.get(id), about: { id } })
      kept.set(id, known)
      recordAnswer(draft, call.idempotency, known)
    }
    const conflict = draft.isEmpty ? undefined : await apply(this.ctx, draft)
    if (conflict === undefined) this.answer(accepting, lobbies)
    else this.lost(conflict)
  }

  /**
   * Handles a conflict with another commit: the round reads and decides everything again. It leaves out calls whose idempotency key another
   * node has answered meanwhile.
   */
  private lost({ kind, id, on }: CommitConflict): void {
    this.isBarred = on === 'limit'
    if (kind !== 'idempotency') return
    const known = this.left.find(({ call }) => call?.idempotency?.id === id)
    if (known !== undefined)
      this.refuse(known, new ServiceError('CONFLICT', 'the first request with this idempotency key has just finished'))
  }

  private answer(accepting: readonly Accepting[], lobbies: ReadonlyMap<string, Lobby>): void {
    this.left = this.left.filter((other) => !accepting.includes(other))
    for (const { input, resolve } of accepting) resolve(lobbies.get(input.lobbyId) as Lobby)
  }

  private refuse(accepting: Accepting, error: unknown): void {
    this.left = this.left.filter((other) => other !== accepting)
    accepting.reject(error)
  }
}
