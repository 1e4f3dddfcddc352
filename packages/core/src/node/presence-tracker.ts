import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import type { Logger } from '../ports/logger'
import { PRESENCE_AT_ONCE, type Storage } from '../ports/storage/index'
import { queueKey } from '../queue/queue'
import { QueueTimeouts } from './queue-timeouts'

/**
 * Milliseconds within which the presence of a player is written at most once, even if the player is seen more often. This is a quarter of
 * the smallest timeout (docs/http-api.md §5: 1 s).
 */
const COALESCE_MS = 250
/**
 * Maximum number of players and processes whose last write of presence is remembered. Beyond this number all of them are forgotten, which
 * only costs additional writes.
 */
const MAX_REMEMBERED = 100_000
/** Instant before all other instants, for presence that must be written at once. */
const AT_ONCE = 0

/** Milliseconds between two writes of the players whom clients' calls named. */
const HEARD_EVERY_MS = 1_000
/** Maximum number of entries in one write of presence. */
const WRITTEN_AT_ONCE = 1_000
/** Member of a player's scope. */
const CLIENT = 'client'

/** Scope of a player's presence in a project, independent of lobbies. */
const playerScope = (projectId: string, playerId: string): string => `player:${projectId}:${playerId}`

interface Sighting {
  readonly scope: string
  readonly member: string
  readonly at: number
}

/** A lobby with open streams on this node, and its queue, whose timeouts decide how often presence is written. */
interface Watched {
  readonly scope: string
  /** Number of open streams by member. */
  readonly members: Map<string, number>
  readonly projectId: string
  queueKey: string
  /** Whether the lobby is in the queue. The presence of its members in the project is then recorded too. */
  isSearching: boolean
  everyMs: number
  dueAt: number
}

/**
 * Records when players and processes were last seen. A failure to record this never fails a call, because the next call records it again.
 */
export class PresenceTracker {
  /** Instants of the last writes, by player or process, the oldest first. */
  private readonly written = new Map<string, number>()
  private readonly watched = new Map<string, Watched>()
  private readonly timeouts: QueueTimeouts
  /** Presence of members whose streams have ended; the next sweep writes all of it in one call. */
  private ended: Sighting[] = []
  /** Instants at which clients' calls named players, by the player's scope, since the last sweep. */
  private heardAt = new Map<string, number>()
  private heardSince = 0
  private wake: (at: number) => void = () => undefined

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
  ) {
    this.timeouts = new QueueTimeouts(storage)
  }

  /**
   * Records that a client's call named a player of a project, whatever the call is about. The next sweep writes it. Above MAX_REMEMBERED
   * players between two sweeps, further players are not recorded; a player is then heard by a later call.
   */
  heard(projectId: string, playerId: string, at: number): void {
    if (this.heardAt.size >= MAX_REMEMBERED) return
    if (this.heardAt.size === 0) {
      this.heardSince = at
      this.wake(at + HEARD_EVERY_MS)
    }
    this.heardAt.set(playerScope(projectId, playerId), at)
  }

  /** Returns the instant at which each of these players was last heard in the project. Players who were never heard are left out. */
  async lastHeard(projectId: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const byScope = new Map(playerIds.map((playerId) => [playerScope(projectId, playerId), playerId]))
    const scopes = [...byScope.keys()]
    const heard = new Map<string, number>()
    const note = (scope: string, at: number) => {
      const playerId = byScope.get(scope)
      if (playerId !== undefined) heard.set(playerId, Math.max(at, heard.get(playerId) ?? at))
    }
    for (let from = 0; from < scopes.length; from += PRESENCE_AT_ONCE) {
      const rows = await this.storage.presence.readMany(scopes.slice(from, from + PRESENCE_AT_ONCE))
      for (const { scope, at } of rows) note(scope, at)
    }
    for (const scope of scopes) {
      const at = this.heardAt.get(scope)
      if (at !== undefined) note(scope, at)
    }
    return heard
  }

  touch(scope: string, member: string, at: number): Promise<void> {
    return this.touchAll([{ scope, member, at }])
  }

  /** Records with one write that several players or processes were seen. */
  async touchAll(sightings: readonly Sighting[]): Promise<void> {
    const news = sightings.filter((sighting) => this.isNews(sighting))
    if (news.length > 0) await this.write(news)
  }

  /**
   * Records that a player in a lobby was seen. For a player who has just joined, the lobby's row already holds the time of the join, so
   * nothing is written.
   */
  async touchMember(lobby: Lobby, playerId: string, at: number): Promise<void> {
    const member = memberOf(lobby, playerId)
    if (member !== undefined && at - member.joinedAt < COALESCE_MS) return
    await this.touch(lobby.id, playerId, at)
  }

  /** Removes the presence of members who have left, up to this instant. */
  async gone(scope: string, members: readonly string[], at: number): Promise<void> {
    this.ended = this.ended.filter((seen) => seen.scope !== scope || !members.includes(seen.member))
    for (const member of members) this.written.delete(`${scope}\n${member}`)
    try {
      await this.storage.presence.forgetMembers(
        scope,
        members.map((member) => ({ member, at })),
      )
    } catch (error) {
      // The next check of the lobby removes the remaining presence.
      this.logger.warn('presence could not be forgotten', { error: String(error) })
    }
  }

  /**
   * Registers an open event stream of a member. An open stream counts as a heartbeat every quarter of the smallest timeout of the lobby's
   * queue, and a change of the timeouts also applies to open streams. Call the returned function when the stream ends. If the member was
   * present until the end, pass the instant of the end, so that this presence is recorded too.
   */
  streamOpened(of: Lobby, member: string, at: number): (lastSeenAt?: number) => void {
    const scope = of.id
    const lobby = this.watched.get(scope) ?? this.watch(of, at)
    lobby.members.set(member, (lobby.members.get(member) ?? 0) + 1)
    this.wake(lobby.dueAt)
    let open = true
    return (lastSeenAt) => {
      if (!open) return
      open = false
      const left = (lobby.members.get(member) ?? 1) - 1
      if (left > 0) lobby.members.set(member, left)
      else lobby.members.delete(member)
      if (lobby.members.size === 0 && this.watched.get(scope) === lobby) this.watched.delete(scope)
      if (lastSeenAt === undefined) return
      this.ended.push({ scope, member, at: lastSeenAt })
      this.wake(AT_ONCE)
    }
  }

  /**
   * Records the queue and the status of a lobby. The timeouts of its queue decide how often the presence of open streams is written, and the
   * presence timeout counts only while the lobby is in the queue.
   */
  lobbyChanged({ id, projectId, queueId, status }: Lobby): void {
    const lobby = this.watched.get(id)
    const [key, isSearching] = [queueKey(projectId, queueId), status === 'in_queue']
    if (lobby === undefined || (lobby.queueKey === key && lobby.isSearching === isSearching)) return
    lobby.queueKey = key
    lobby.isSearching = isSearching
    // The new timeout may be shorter, and a part of it may have passed since the last write. The members are present now, so their presence
    // is written at once.
    lobby.dueAt = AT_ONCE
    this.wake(AT_ONCE)
  }

  /** Records that the timeouts of a queue may have changed. Without a queue, the timeouts of all queues may have changed. */
  queueChanged(queueKey?: string): void {
    if (this.timeouts.forget(queueKey)) this.wake(AT_ONCE)
  }

  /** Writes the presence that is due in one call: of open streams, and of streams that ended since the last sweep. */
  async sweep(now: number): Promise<void> {
    await this.learnTimeouts(now)
    const seen = this.ended
    this.ended = []
    seen.push(...this.heardNow(now))
    for (const lobby of this.watched.values()) {
      if (lobby.dueAt > now) continue
      lobby.dueAt = now + lobby.everyMs
      for (const member of lobby.members.keys()) {
        seen.push({ scope: lobby.scope, member, at: now })
        if (lobby.isSearching) seen.push({ scope: playerScope(lobby.projectId, member), member: CLIENT, at: now })
      }
    }
    if (seen.length > 0) await this.write(seen)
  }

  /** Returns the time of the next sweep; undefined when no stream is open and none has just ended. */
  nextSweepAt(): number | undefined {
    if (this.ended.length > 0 || this.timeouts.isBehind) return AT_ONCE
    let next = this.heardAt.size > 0 ? this.heardSince + HEARD_EVERY_MS : undefined
    for (const { dueAt } of this.watched.values()) if (next === undefined || dueAt < next) next = dueAt
    return next
  }

  /** Sets the function that is called with the time of a due sweep, which may be earlier than `nextSweepAt` returned. */
  whenDue(wake: (at: number) => void): void {
    this.wake = wake
  }

  /** Number of players and processes whose last write is remembered. */
  get remembered(): number {
    return this.written.size
  }

  private isNews({ scope, member, at }: Sighting): boolean {
    const key = `${scope}\n${member}`
    const last = this.written.get(key)
    if (last !== undefined && at - last < COALESCE_MS) return false
    this.forgetOlder(at - COALESCE_MS)
    if (this.written.size >= MAX_REMEMBERED) this.written.clear()
    this.written.delete(key)
    this.written.set(key, at)
    return true
  }

  /** Returns the players who were heard since the last write, when the next write is due. */
  private heardNow(now: number): Sighting[] {
    if (now < this.heardSince + HEARD_EVERY_MS) return []
    const heard = [...this.heardAt].map(([scope, at]) => ({ scope, member: CLIENT, at }))
    this.heardAt = new Map()
    return heard
  }

  private watch({ id: scope, projectId, queueId, status }: Lobby, at: number): Watched {
    // The caller itself records the presence at the opening of the stream.
    const queue = { queueKey: queueKey(projectId, queueId), isSearching: status === 'in_queue' }
    const everyMs = this.everyMs(queue)
    const lobby = { scope, projectId, ...queue, members: new Map<string, number>(), everyMs, dueAt: at + everyMs }
    this.watched.set(scope, lobby)
    return lobby
  }

  private async learnTimeouts(now: number): Promise<void> {
    const queueKeys = new Set<string>()
    for (const { queueKey } of this.watched.values()) queueKeys.add(queueKey)
    try {
      await this.timeouts.learn(queueKeys, now)
    } catch (error) {
      // The old timeouts stay in use, and the next sweep reads the timeouts again.
      this.logger.warn('the timeouts of queues could not be read', { error: String(error) })
    }
    for (const lobby of this.watched.values()) {
      const everyMs = this.everyMs(lobby)
      if (everyMs < lobby.everyMs) lobby.dueAt = AT_ONCE
      lobby.everyMs = everyMs
    }
  }

  /**
   * Returns the milliseconds between two writes of presence for a queue's open streams. An unknown timeout counts as the smallest timeout
   * that a queue may have.
   */
  private everyMs({ queueKey, isSearching }: Pick<Watched, 'queueKey' | 'isSearching'>): number {
    const { silentMs, absentMs } = this.timeouts.of(queueKey) ?? { silentMs: 0, absentMs: 0 }
    return Math.max(COALESCE_MS, (isSearching ? Math.min(silentMs, absentMs) : silentMs) / 4)
  }

  private forgetOlder(than: number): void {
    for (const [key, at] of this.written) {
      if (at > than) break
      this.written.delete(key)
    }
  }

  private async write(entries: readonly Sighting[]): Promise<void> {
    try {
      for (let from = 0; from < entries.length; from += WRITTEN_AT_ONCE) {
        await this.storage.presence.touch(entries.slice(from, from + WRITTEN_AT_ONCE))
      }
    } catch (error) {
      for (const { scope, member } of entries) this.written.delete(`${scope}\n${member}`)
      this.logger.warn('presence could not be written', { error: String(error) })
    }
  }
}
