import { mayEnterProject, mayEnterQueue } from '../../ban/decide'
import { MAX_LOBBY_BYTES } from '../../catalog/limits'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { keptAnswer, recordAnswer } from '../../commit/outcome'
import { writeLobby } from '../../commit/rows/lobby'
import { apply } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import { answeredBytes } from '../../lobby/answered-bytes'
import { asSeenBy } from '../../lobby/as-seen'
import { decideJoinLobby, withinSize } from '../../lobby/decide'
import type { LobbyEvent } from '../../lobby/events'
import { evolveLobbyAll } from '../../lobby/evolve'
import { openSeats, quickJoinKeyOf } from '../../lobby/labels'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import { writtenState } from '../../lobby/trusted-state'
import type { Service } from '../../node/service'
import { type CommitConflict, type OpenPlace, uniqueKey } from '../../ports/storage/index'
import type { Project } from '../../project/project'
import { fieldRightsOf, NO_RIGHTS } from '../../queue/field-rights'
import { type Queue, queueKey } from '../../queue/queue'
import { lobbiesWithoutHost } from '../../reads/absent-hosts'
import { bansOf } from '../../reads/bans'
import { requireProject } from '../../reads/require'
import { byteSize } from '../../shared/json'
import { makeLobby } from './create-lobby'
import type { QuickJoined, QuickJoinInput } from './quick-join-input'
import { writesState } from './state-source'

/** Call of a player who waits for a seat in a lobby. */
export interface Newcomer {
  readonly input: QuickJoinInput
  readonly call: CallOptions | undefined
  resolve(joined: QuickJoined): void
  reject(error: unknown): void
}

/** Number of open lobbies that are read at once. Usually all waiting players who fit find seats in the first of them. */
const CANDIDATES = 4
/**
 * Maximum number of open lobbies that a round skips because none of its players can join them, for instance because the lobby would become
 * too large or its host is absent. When more are skipped, each attempt examines only the fullest few lobbies, and a player who fits none of them gets a new
 * lobby.
 */
export const MAX_PASSED = 100
/** Maximum number of lobbies with an absent host that keep keys for the same filter. When there are more, a new lobby has no key. */
const MAX_SUCCESSORS = 4
/**
 * Maximum number of attempts in a row that conflict with other commits. Each conflict means that another player got a seat, so the maximum
 * is not reached while seats are free.
 */
const MAX_TRIES = 1_000

const placeOf = (lobby: Lobby): OpenPlace => ({
  seats: openSeats(lobby),
  createdAt: lobby.createdAt,
  id: lobby.id,
})

/** Seats players with the same request, lobby by lobby, with one commit for each lobby. */
export class SeatingRound {
  private left: readonly Newcomer[]
  /** Last examined lobby of the list. This lobby and the lobbies before it have no seat for the remaining players. */
  private after: OpenPlace | undefined
  private passed = 0
  /** Ids of the lobbies whose host is absent, among those examined. No player is seated there in this round. */
  private readonly absent = new Set<string>()
  /** Whether a lobby with a host was skipped since the last new lobby, because it takes none of the remaining players. */
  private isUnfit = false

  constructor(
    private readonly ctx: Service,
    newcomers: readonly Newcomer[],
  ) {
    this.left = newcomers
  }

  /** Resolves every call with a seat, or rejects it with an error. */
  async run(): Promise<void> {
    try {
      for (let lost = 0; this.left.length > 0; ) {
        const before = this.left.length
        await this.once()
        lost = this.left.length < before ? 0 : lost + 1
        if (lost >= MAX_TRIES)
          throw new ServiceError('CONFLICT', 'other requests kept taking the free places; try again')
      }
    } catch (error) {
      for (const newcomer of this.left) this.refuse(newcomer, error)
    }
  }

  /** Seats as many players as one lobby has seats for. When no lobby fits, seats the first players in a new lobby. */
  private async once(): Promise<void> {
    const project = await this.refuseBanned()
    if (this.left.length === 0) return
    for (let isLast = false; !isLast; ) {
      const open = await this.open()
      const known = new Set(this.absent)
      await this.findAbsent(open)
      for (const lobby of open) {
        const isAbsent = this.absent.has(lobby.id)
        if (!isAbsent && (await this.join(lobby, project))) return
        if (!isAbsent) this.isUnfit = true
        this.after = placeOf(lobby)
        if (!known.has(lobby.id)) this.passed++
      }
      isLast = open.length < CANDIDATES || this.passed >= MAX_PASSED
    }
    // No listed lobby fits. A lobby created for the same filter may exist that the list does not contain yet.
    const { held, freeKey } = this.isUnfit ? {} : await this.held()
    if (held !== undefined && (await this.join(held, project))) return
    await this.make(freeKey)
    this.after = undefined
    this.isUnfit = false
  }

  /** Notes which of the lobbies have an absent host. */
  private async findAbsent(lobbies: readonly Lobby[]): Promise<void> {
    const unknown = lobbies.filter(({ id }) => !this.absent.has(id))
    const { projectId } = this.first.input
    for (const id of await lobbiesWithoutHost(this.ctx, projectId, unknown)) this.absent.add(id)
  }

  /** Refuses the calls of banned players. Returns the project, whose version the commits check, because a ban changes it. */
  private async refuseBanned(): Promise<Project> {
    const { projectId, queueId } = this.first.input
    const project = await requireProject(this.ctx, projectId)
    const playerIds = this.left.map(({ input }) => input.playerId)
    const bans = await bansOf(this.ctx, project, playerIds, this.ctx.clock.now())
    for (const newcomer of bans.length === 0 ? [] : this.left) {
      const { playerId, client } = newcomer.input
      const own = bans.filter((ban) => ban.playerId === playerId)
      const to = { playerId, backend: client === undefined }
      const mayEnter = mayEnterProject(own, to)
      const allowed = mayEnter.ok ? mayEnterQueue(own, to, queueId) : mayEnter
      if (!allowed.ok) this.refuse(newcomer, ServiceError.of(allowed.rejected))
    }
    return project
  }

  private open(): Promise<Lobby[]> {
    const { projectId, queueId, filter = {} } = this.first.input
    const from = this.after === undefined ? {} : { after: this.after }
    return this.ctx.storage.lobbies.fullestOpen({ projectId, queueId, settings: filter, limit: CANDIDATES, ...from })
  }

  /**
   * Returns the lobby that was created for the same filter, if the list of open lobbies does not contain it yet. When there is none, returns the
   * free key for a new lobby. A lobby whose host is absent keeps its key, so the lobby after it takes a key that names the absent one.
   */
  private async held(): Promise<{ readonly held?: Lobby; readonly freeKey?: string }> {
    const { projectId, queueId, filter } = this.first.input
    let key = quickJoinKeyOf(queueId, { ...filter })
    for (let n = 0; n < MAX_SUCCESSORS; n++) {
      const held = await this.ctx.storage.find('lobby', uniqueKey.quickJoin(projectId, key))
      if (held === undefined) return { freeKey: key }
      await this.findAbsent([held])
      if (!this.absent.has(held.id)) return { held }
      key = quickJoinKeyOf(queueId, { ...filter }, held.id)
    }
    return {}
  }

  /** Seats the players who fit into the lobby, unless the lobby has changed meanwhile. Returns whether any player fits. */
  private async join(before: Lobby, project: Project): Promise<boolean> {
    const draft = new Draft(this.ctx.clock.now()).check('project', project)
    const queue = this.left.some(({ input }) => writesState(input)) ? await this.queueOf(before) : undefined
    const joined: Newcomer[] = []
    const events: LobbyEvent[] = []
    const room = MAX_LOBBY_BYTES - answeredBytes(before)
    let after = before
    for (const newcomer of this.left) {
      const { playerId, state, client } = newcomer.input
      // A player whose state alone is larger than the free bytes of the lobby is skipped, so that the whole lobby need not be measured.
      if (byteSize(state ?? {}) > room && memberOf(after, playerId) === undefined) continue
      const given = state === undefined ? {} : { state }
      const source = { ...(queue === undefined ? NO_RIGHTS : fieldRightsOf(queue)), client }
      const byClient = client !== undefined
      const decision = decideJoinLobby(after, { playerId, ...given, by: 'id', source, byClient, at: draft.at })
      if (!decision.ok) continue
      const next = evolveLobbyAll(after, decision.events, draft.at)
      // One commit gives the lobby one new version, for any number of seated players.
      const seated = next === after ? after : { ...next, version: before.version + 1 }
      if (!withinSize(seated).ok) continue
      after = seated
      events.push(...decision.events)
      joined.push(newcomer)
    }
    if (joined.length === 0) return false
    // The commit checks the version of the queue: while a client writes a field, the field must not become trusted.
    if (queue !== undefined) draft.check('queue', queue)
    const lobby = writeLobby(draft, before, events)
    await this.ctx.node.turns.run(before.id, () => this.commit(draft, joined, { lobby, made: false }))
    return true
  }

  private queueOf({ projectId, queueId }: Lobby): Promise<Queue | undefined> {
    return this.ctx.storage.get('queue', queueKey(projectId, queueId))
  }

  /** Seats the first player in a new lobby, under a key that leads further quick joins to it. */
  private async make(quickJoinKey: string | undefined): Promise<void> {
    const { first } = this
    const { filter, create = true } = first.input
    if (!create) return this.refuse(first, await this.whyNone(first))
    const settings = { ...filter }
    const draft = new Draft(this.ctx.clock.now())
    let lobby: Lobby
    try {
      const given = quickJoinKey === undefined ? {} : { quickJoinKey }
      lobby = await makeLobby(this.ctx, draft, { ...first.input, settings }, given)
    } catch (error) {
      // The error may concern only this player's state, so the other players are tried separately.
      if (!(error instanceof ServiceError)) throw error
      return this.refuse(first, error)
    }
    await this.commit(draft, [first], { lobby, made: true })
  }

  /** Returns the reason why no lobby was found. One reason is a player's state with trusted fields that the caller may not write. */
  private async whyNone({ input: { projectId, queueId, state, client } }: Newcomer): Promise<ServiceError> {
    const queue = await this.ctx.storage.get('queue', queueKey(projectId, queueId))
    const rights = queue === undefined ? NO_RIGHTS : fieldRightsOf(queue)
    const written = writtenState(undefined, { state, merge: true }, { ...rights, client })
    return written.ok
      ? new ServiceError('LOBBY_NOT_FOUND', 'no open lobby of the queue matches the request')
      : ServiceError.of(written.rejected)
  }

  /** Commits, and resolves the calls of the seated players; the other calls remain. */
  private async commit(draft: Draft, seated: readonly Newcomer[], answer: QuickJoined): Promise<void> {
    const keys = seated.flatMap(({ call }) => call?.idempotency ?? [])
    if (keys.length > 0) {
      const kept = keptAnswer({ answer, about: { id: answer.lobby.id, rest: answer.made } })
      for (const key of keys) recordAnswer(draft, key, kept)
    }
    const conflict = draft.isEmpty ? undefined : await apply(this.ctx, draft)
    if (conflict !== undefined) return this.lost(conflict, seated)
    this.left = this.left.filter((newcomer) => !seated.includes(newcomer))
    for (const { resolve, input } of seated) {
      resolve({ ...answer, lobby: asSeenBy(answer.lobby, { playerId: input.playerId, backend: false }) })
    }
  }

  /**
   * Handles a conflict with another commit: the round reads and decides everything again. It leaves out calls whose idempotency key another
   * node has answered meanwhile.
   */
  private lost({ kind, id }: CommitConflict, seated: readonly Newcomer[]): void {
    if (kind !== 'idempotency') return
    const answered = seated.find(({ call }) => call?.idempotency?.id === id)
    if (answered !== undefined)
      this.refuse(
        answered,
        new ServiceError('CONFLICT', 'the first request with this idempotency key has just finished'),
      )
  }

  private refuse(newcomer: Newcomer, error: unknown): void {
    this.left = this.left.filter((other) => other !== newcomer)
    newcomer.reject(error)
  }

  private get first(): Newcomer {
    const [first] = this.left
    if (first === undefined) throw new Error('there is nobody to be seated')
    return first
  }
}
