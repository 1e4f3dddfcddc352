import type { JsonObject, Lobby as LobbyData, Player, Region } from '../api/types'
import type { Session } from '../client-session'
import { isMatchyardError, type MatchyardError } from '../errors'
import { Follower } from '../follow/follower'
import type { Connection, Transport } from '../follow/machine'
import { type FindMatchOptions, findMatch } from '../match/find-match'
import type { Match } from '../match/match'
import { differences, type LobbyEvents } from './differences'
import { Emitter } from './emitter'
import { freeze } from './freeze'

/** How long a call waits until what it did is told by the lobby's events; they come all the same. */
const SETTLED_MS = 2_000

/**
 * Why a lobby is not followed any more: the player `left` or was `removed`; the lobby was `deleted`, or is `gone` since longer than the
 * service remembers; the service `refused` (a revoked key, say); or the game called `close`.
 */
export type ClosedReason = 'left' | 'removed' | 'deleted' | 'gone' | 'refused' | 'closed'

/** What can be listened for, beside what happens in the lobby. */
export interface HandleEvents extends LobbyEvents {
  /** How well the lobby is followed. */
  connection: [now: Connection, transport: Transport]
  /** Nothing more comes; the error says why it was `refused`. */
  closed: [reason: ClosedReason, error?: MatchyardError]
}

/** What of a lobby its host may change. What is left out stays. */
export interface LobbyChanges {
  /** Replaces the settings whole. */
  readonly settings?: JsonObject | undefined
  /** Shown in lists; null takes it away. */
  readonly name?: string | null | undefined
  /** Where a match that is started directly runs; null takes it away. */
  readonly region?: Region | null | undefined
  /** Kept out of lists, and joined by invite code only. */
  readonly isPrivate?: boolean | undefined
  /** Not below the players present, not above what the queue allows. */
  readonly maxPlayers?: number | undefined
  /** Moves the lobby to another queue; its invite code is drawn anew. */
  readonly queueId?: string | undefined
}

/** Whose state is set, and how. */
export interface SetStateOptions {
  /** Replaces the state whole; merged at its top level unless said. */
  readonly replace?: boolean | undefined
  /** Another player's, by the host. */
  readonly playerId?: string | undefined
}

/** A lobby that the player is in: followed from the moment it is handed out until it is closed. */
export class Lobby {
  /** The lobby's id. */
  readonly id: string
  /** The player's own id. */
  readonly me: string
  private now: LobbyData
  private reason: ClosedReason | undefined
  private leaving = false
  private readonly emitter = new Emitter<HandleEvents>()
  private readonly lanes = new Map<string, Promise<unknown>>()
  private readonly follower: Follower

  /** @internal Lobbies come from `matchyard.lobbies`. */
  constructor(
    private readonly session: Session,
    first: LobbyData,
    me: string,
  ) {
    this.id = first.lobby_id
    this.me = me
    this.now = freeze(first)
    this.follower = new Follower({
      ...session,
      path: this.path,
      version: first.version,
      sink: {
        lobby: (next, isLast) => this.take(next, isLast),
        gone: (error) => this.shut(closedBy(error), error),
        connection: (now, transport) => {
          session.says(now, transport)
          this.emitter.emit('connection', now, transport)
        },
      },
    })
    this.follower.input({ is: 'resume' })
  }

  /** The lobby as it was told last: whole, frozen, spelled as the service spells it. */
  get current(): LobbyData {
    return this.now
  }

  /** Whether the player is the host. */
  get isHost(): boolean {
    return this.now.host_player_id === this.me
  }

  /** What others join by; null where the queue has no invite codes. */
  get inviteCode(): string | null {
    return this.now.invite_code
  }

  /** How well the lobby is followed. */
  get connection(): Connection {
    return this.follower.connection
  }

  /** `polling` where event streams do not come through. */
  get transport(): Transport {
    return this.follower.transport
  }

  /** Why nothing more comes; undefined while the lobby is followed. */
  get closed(): ClosedReason | undefined {
    return this.reason
  }

  /** Listens; answers how to stop. Listeners are called in the order of what happened. */
  on<E extends keyof HandleEvents>(name: E, listener: (...args: HandleEvents[E]) => void): () => void {
    return this.emitter.on(name, listener)
  }

  /**
   * Changes the player's own state; what is not named stays, unless `replace` is said. Answers the player as it is then.
   * Rejects with `PARTY_CANNOT_MATCH`, `PLAYER_STATE_FORBIDDEN`, `VALIDATION_FAILED`.
   */
  async setState(state: JsonObject, { replace = false, playerId = this.me }: SetStateOptions = {}): Promise<Player> {
    const body = { state, merge: !replace }
    const path = `${this.path}/players/${encodeURIComponent(playerId)}`
    // One after the other: a repeated call must not undo a later one.
    const player = await this.inLane(`state of ${playerId}`, () =>
      this.session.calls.call<Player>({ method: 'PATCH', path, body }),
    )
    const wanted = JSON.stringify(player.state)
    await this.until(({ players }) =>
      players.some(({ player_id: id, state: seen }) => id === playerId && JSON.stringify(seen) === wanted),
    )
    return player
  }

  /** Replaces the lobby's settings whole (host, while `waiting`). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`. */
  setSettings(settings: JsonObject): Promise<LobbyData> {
    return this.update({ settings })
  }

  /** Changes what the lobby is (host, while `waiting`). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`, `VALIDATION_FAILED`. */
  update({ isPrivate, maxPlayers, queueId, ...same }: LobbyChanges): Promise<LobbyData> {
    const body = { ...same, is_private: isPrivate, max_players: maxPlayers, queue_id: queueId }
    return this.inLane('settings', () => this.act('PATCH', '/settings', body))
  }

  /** Removes another player (host). One who is not there any more is no error. */
  async kick(playerId: string): Promise<void> {
    const joined = () => this.now.players.find(({ player_id: id }) => id === playerId)?.joined_at
    const before = joined()
    const path = `${this.path}/players/${encodeURIComponent(playerId)}`
    // Who has come back since was not meant.
    const happened = async () => {
      await this.refresh()
      return joined() !== before
    }
    await this.session.calls.call({ method: 'DELETE', path, happened }).catch(unless('PLAYER_NOT_IN_LOBBY', 404))
    await this.until(() => joined() === undefined || joined() !== before)
  }

  /** Leaves, and stops following. A player who is out already has left. */
  async leave(): Promise<void> {
    if (this.reason !== undefined) return
    this.leaving = true
    try {
      await this.session.calls
        .call({ method: 'POST', path: `${this.path}/leave` })
        .catch(unless('PLAYER_NOT_IN_LOBBY'))
        .catch(unless('LOBBY_NOT_FOUND'))
    } catch (error) {
      this.leaving = false
      throw error
    }
    this.shut('left')
  }

  /** Stops following without leaving: the player stays in the lobby until it is no longer heard of. */
  close(): void {
    this.shut('closed')
  }

  /**
   * Searches for a match: the host takes the lobby into the queue, every other member waits for the host to do so. In a lobby that
   * searches already it waits along; in one that plays it answers that match.
   *
   * Rejects with `MatchmakingEnded` where the search comes to nothing, and with `PARTY_CANNOT_MATCH`, `PARTY_TOO_LARGE`,
   * `PLAYER_COOLING_DOWN`, `QUEUE_DISABLED`, `MATCHMAKING_NOT_CONFIGURED`, `PLAN_LIMIT_EXCEEDED` where it cannot begin.
   * An aborted `signal` takes the lobby out of the queue and rejects with its reason; if a match was made first, it is answered all the same.
   */
  findMatch(options: FindMatchOptions = {}): Promise<Match<Lobby>> {
    return findMatch(this, this.session, options, {
      act: (method, path) => this.inLane('queue', () => this.act(method, path, undefined, options.signal)),
      cancel: () => this.cancel(),
    })
  }

  /** Starts a match of this lobby alone, without matchmaking (host). Answers it once it is on; rejects as `findMatch` does. */
  start(options: Pick<FindMatchOptions, 'signal'> = {}): Promise<Match<Lobby>> {
    return findMatch(this, this.session, options, {
      act: () => this.inLane('queue', () => this.act('POST', '/start', undefined, options.signal)),
    })
  }

  /** Takes the lobby out of the queue (host). Answers whether it was still searching. */
  async cancel(): Promise<boolean> {
    const happened = async () => (await this.refresh()).status !== 'in_queue'
    try {
      await this.inLane('queue', () => this.act('DELETE', '/queue', undefined, undefined, happened))
    } catch (error) {
      if (!isMatchyardError(error, 'INVALID_LOBBY_STATE', 'LOBBY_NOT_FOUND')) throw error
      return false
    }
    return true
  }

  /** Ends the match (host, where the match has no other lobby): everybody is back in `waiting`. */
  endMatch(): Promise<LobbyData> {
    return this.inLane('queue', () => this.act('POST', '/end'))
  }

  /** Deletes the lobby (host). */
  async delete(): Promise<void> {
    await this.session.calls.call({ method: 'DELETE', path: this.path }).catch(unless('LOBBY_NOT_FOUND'))
    this.shut('deleted')
  }

  /** Reads the lobby now, and waits until what happened up to then was told. Rarely needed: `current` follows by itself. */
  async refresh(): Promise<LobbyData> {
    const lobby = await this.session.calls.call<LobbyData>({ method: 'GET', path: this.path })
    await this.told(lobby)
    return lobby
  }

  /** @internal The page was put away, runs again, or is looked at. */
  page(is: 'pause' | 'resume' | 'wake'): void {
    this.follower.input({ is })
  }

  private get path(): string {
    return `/v1/lobbies/${this.id}`
  }

  /** A call that answers the lobby; what it did is told before it is answered, if that comes soon. */
  private async act(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    signal?: AbortSignal | undefined,
    happened?: () => Promise<boolean>,
  ): Promise<LobbyData> {
    const call = { method, path: this.path + path, body, signal, ...(happened === undefined ? {} : { happened }) }
    const lobby = (await this.session.calls.call<LobbyData | undefined>(call)) ?? this.now
    await this.told(lobby)
    return freeze(lobby)
  }

  private told(lobby: LobbyData): Promise<void> {
    this.follower.offer(lobby)
    return this.until(({ version }) => version >= lobby.version)
  }

  /** Resolves once the lobby is so, or is over, or it takes too long. */
  private async until(holds: (lobby: LobbyData) => boolean): Promise<void> {
    if (this.reason !== undefined || holds(this.now)) return
    await new Promise<void>((resolve) => {
      const stops = [
        this.on('change', (now) => holds(now) && done()),
        this.on('closed', () => done()),
        this.session.platform.after(SETTLED_MS, () => done()),
      ]
      const done = () => {
        for (const stop of stops) stop()
        resolve()
      }
    })
  }

  private inLane<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.lanes.get(lane) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.lanes.set(lane, mine)
    const done = () => {
      if (this.lanes.get(lane) === mine) this.lanes.delete(lane)
    }
    mine.then(done, done)
    return mine
  }

  private take(next: LobbyData, isLast: boolean): void {
    const before = this.now
    this.now = freeze(next)
    if (next.version !== before.version) {
      for (const { name, args } of differences(next, before)) this.emitter.emit(name, ...(args as never))
    }
    if (isLast) this.shut(this.leaving ? 'left' : 'deleted')
    else if (!next.players.some(({ player_id: id }) => id === this.me)) this.shut(this.leaving ? 'left' : 'removed')
  }

  private shut(reason: ClosedReason, error?: MatchyardError): void {
    if (this.reason !== undefined) return
    this.reason = reason
    this.follower.input({ is: 'close' })
    this.session.closed(this)
    this.emitter.emit('closed', reason, ...(error === undefined ? ([] as const) : ([error] as const)))
  }
}

function closedBy(error: MatchyardError | undefined): ClosedReason {
  if (error === undefined) return 'deleted'
  if (error.code === 'PLAYER_NOT_IN_LOBBY') return 'removed'
  return error.code === 'LOBBY_NOT_FOUND' ? 'gone' : 'refused'
}

/** Passes over a refusal that says that what was wanted is so already. */
const unless =
  (code: 'PLAYER_NOT_IN_LOBBY' | 'LOBBY_NOT_FOUND', status?: number) =>
  (error: unknown): void => {
    if (isMatchyardError(error, code) && (status === undefined || error.status === status)) return
    throw error
  }
