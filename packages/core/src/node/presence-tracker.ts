import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import type { Logger } from '../ports/logger'
import type { Storage } from '../ports/storage/index'
import { queueKey } from '../queue/queue'
import { HeardPlayers, type LastHeard, type NamedBy, type Sighting, sightingOf } from './heard-players'
import { QueueTimeouts } from './queue-timeouts'
import { AT_ONCE, WatchedLobby } from './watched-lobby'

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
/** Maximum number of entries in one write of presence. */
const WRITTEN_AT_ONCE = 1_000

/**
 * Records when players and processes were last seen. A failure to record this never fails a call, because the next call records it again.
 */
export class PresenceTracker {
  /** Instants of the last writes, by player or process, the oldest first. */
  private readonly written = new Map<string, number>()
  private readonly watched = new Map<string, WatchedLobby>()
  private readonly timeouts: QueueTimeouts
  /** Presence of members whose streams have ended; the next sweep writes all of it in one call. */
  private ended: Sighting[] = []
  private readonly heardPlayers: HeardPlayers
  private wake: (at: number) => void = () => undefined

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
  ) {
    this.timeouts = new QueueTimeouts(storage)
    this.heardPlayers = new HeardPlayers(storage)
  }

  /** Records that a call named a player of a project, whatever the call is about. The next sweep writes it. */
  heard(projectId: string, playerId: string, at: number, by: NamedBy = 'client'): void {
    const wasDueAt = this.heardPlayers.dueAt
    this.heardPlayers.note(sightingOf(projectId, playerId, at, by))
    if (wasDueAt === undefined) this.wake(this.heardPlayers.dueAt ?? AT_ONCE)
  }

  /**
   * Returns when each of these players was last heard in the project, and by which kind of caller. Players without a record are left out: they
   * were never heard, or not for an hour.
   */
  lastHeard(projectId: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, LastHeard>> {
    return this.heardPlayers.last(projectId, playerIds)
  }

  /** Calls `tell` once, when a call on this node names one of these players. Returns the function that ends the wait. */
  whenHeard(projectId: string, playerIds: readonly string[], tell: () => void): () => void {
    return this.heardPlayers.await(projectId, playerIds, tell)
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
  streamOpened(of: Lobby, member: string, at: number, by: NamedBy = 'client'): (lastSeenAt?: number) => void {
    const scope = of.id
    const lobby = this.watched.get(scope) ?? this.watch(of, at)
    lobby.opened(member, by)
    this.wake(lobby.nextAt)
    let open = true
    return (lastSeenAt) => {
      if (!open) return
      open = false
      if (lastSeenAt !== undefined) this.ended.push(...lobby.lastOf(member, by, lastSeenAt))
      lobby.closed(member, by)
      if (lobby.isUnwatched && this.watched.get(scope) === lobby) this.watched.delete(scope)
      if (lastSeenAt !== undefined) this.wake(AT_ONCE)
    }
  }

  /** Records the present state of a lobby, which decides how often the presence of its members is written. */
  lobbyChanged(lobby: Lobby): void {
    if (this.watched.get(lobby.id)?.changed(lobby) === true) this.wake(AT_ONCE)
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
    seen.push(...this.heardPlayers.take(now))
    for (const lobby of this.watched.values()) if (lobby.nextAt <= now) seen.push(...lobby.take(now))
    if (seen.length > 0) await this.write(seen)
  }

  /** Returns the time of the next sweep; undefined when no stream is open and none has just ended. */
  nextSweepAt(): number | undefined {
    if (this.ended.length > 0 || this.timeouts.isBehind) return AT_ONCE
    let next = this.heardPlayers.dueAt
    for (const { nextAt } of this.watched.values()) if (next === undefined || nextAt < next) next = nextAt
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

  private watch(lobby: Lobby, at: number): WatchedLobby {
    const watched = new WatchedLobby(lobby, COALESCE_MS, at, this.timeouts.of(queueKey(lobby.projectId, lobby.queueId)))
    this.watched.set(lobby.id, watched)
    return watched
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
    for (const lobby of this.watched.values()) lobby.useTimeouts(this.timeouts.of(lobby.queueKey))
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
