import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import type { Logger } from '../ports/logger'
import type { Storage } from '../ports/storage/index'
import { QueueTimeouts } from './queue-timeouts'

/**
 * Milliseconds within which several sightings of a player are written once: a quarter of the smallest timeout (docs/http-api.md §5: 1 s).
 */
const COALESCE_MS = 250
/** Maximum number of sightings that are remembered for coalescing. Beyond it the memory is cleared, which only costs more writes. */
const MAX_REMEMBERED = 100_000
/** Instant that is earlier than all others: due at once. */
const AT_ONCE = 0

interface Sighting {
  readonly scope: string
  readonly member: string
  readonly at: number
}

/** A lobby with open streams on this node. */
interface Watched {
  readonly scope: string
  /** Number of open streams by member. */
  readonly members: Map<string, number>
  queueKey: string
  everyMs: number
  dueAt: number
}

/** Records sightings of players and processes. It never fails a call: after a lost sighting the next one counts. */
export class PresenceTracker {
  /** Instants of the last written sightings, the oldest first. */
  private readonly written = new Map<string, number>()
  private readonly watched = new Map<string, Watched>()
  private readonly timeouts: QueueTimeouts
  /** Sightings of ended streams, collected and written with the next sweep in one write. */
  private ended: Sighting[] = []
  private wake: (at: number) => void = () => undefined

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
  ) {
    this.timeouts = new QueueTimeouts(storage)
  }

  touch(scope: string, member: string, at: number): Promise<void> {
    return this.touchAll([{ scope, member, at }])
  }

  /** Records several sightings in one write. */
  async touchAll(sightings: readonly Sighting[]): Promise<void> {
    const news = sightings.filter((sighting) => this.isNews(sighting))
    if (news.length > 0) await this.write(news)
  }

  /**
   * Records the sighting of a player in a lobby. A player who has just joined has the join in the lobby's row as a sighting, so nothing more is
   * written.
   */
  async touchMember(lobby: Lobby, playerId: string, at: number): Promise<void> {
    const member = memberOf(lobby, playerId)
    if (member !== undefined && at - member.joinedAt < COALESCE_MS) return
    await this.touch(lobby.id, playerId, at)
  }

  /** Removes the sightings of members who have left, up to this instant. */
  async gone(scope: string, members: readonly string[], at: number): Promise<void> {
    this.ended = this.ended.filter((seen) => seen.scope !== scope || !members.includes(seen.member))
    for (const member of members) this.written.delete(`${scope}\n${member}`)
    try {
      await this.storage.presence.forgetMembers(
        scope,
        members.map((member) => ({ member, at })),
      )
    } catch (error) {
      // The next check of the lobby removes these sightings.
      this.logger.warn('presence could not be forgotten', { error: String(error) })
    }
  }

  /**
   * Registers an open event stream of a member, which counts as a heartbeat every quarter of the smallest timeout of its queue; a change of
   * the timeouts takes effect for open streams too. Call the returned function when the stream ends, with the instant if the member was
   * there until then: the end is a sighting too.
   */
  streamOpened(scope: string, member: string, queueKey: string, at: number): (lastSeenAt?: number) => void {
    const lobby = this.watched.get(scope) ?? this.watch(scope, queueKey, at)
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

  /** Records the queue of a lobby. After a move from another queue its open streams report by the timeouts of the new queue. */
  lobbyIsIn(scope: string, queueKey: string): void {
    const lobby = this.watched.get(scope)
    if (lobby === undefined || lobby.queueKey === queueKey) return
    lobby.queueKey = queueKey
    // The readers are present now, and part of a shorter timeout may have passed already.
    lobby.dueAt = AT_ONCE
    this.wake(AT_ONCE)
  }

  /** Records that the timeouts of a queue may have changed; undefined: of any queue. */
  queueChanged(queueKey?: string): void {
    if (this.timeouts.forget(queueKey)) this.wake(AT_ONCE)
  }

  /** Writes the sightings of open streams that are due, and of streams that ended since the last sweep, in one call. */
  async sweep(now: number): Promise<void> {
    await this.learnTimeouts(now)
    const seen = this.ended
    this.ended = []
    for (const lobby of this.watched.values()) {
      if (lobby.dueAt > now) continue
      lobby.dueAt = now + lobby.everyMs
      for (const member of lobby.members.keys()) seen.push({ scope: lobby.scope, member, at: now })
    }
    if (seen.length > 0) await this.write(seen)
  }

  /** Returns when the next sweep is due; undefined without streams that are open or have just ended. */
  nextSweepAt(): number | undefined {
    if (this.ended.length > 0 || this.timeouts.isBehind) return AT_ONCE
    let next: number | undefined
    for (const { dueAt } of this.watched.values()) if (next === undefined || dueAt < next) next = dueAt
    return next
  }

  /** Sets the function that is called when a sweep becomes due, possibly earlier than `nextSweepAt` returned. */
  whenDue(wake: (at: number) => void): void {
    this.wake = wake
  }

  /** Number of remembered sightings. */
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

  private watch(scope: string, queueKey: string, at: number): Watched {
    // Opening the stream is a sighting itself, which the caller records.
    const everyMs = this.everyMs(queueKey)
    const lobby = { scope, queueKey, members: new Map<string, number>(), everyMs, dueAt: at + everyMs }
    this.watched.set(scope, lobby)
    return lobby
  }

  private async learnTimeouts(now: number): Promise<void> {
    const queueKeys = new Set<string>()
    for (const { queueKey } of this.watched.values()) queueKeys.add(queueKey)
    try {
      await this.timeouts.learn(queueKeys, now)
    } catch (error) {
      // The old timeouts stay in use; the next sweep reads them again.
      this.logger.warn('the timeouts of queues could not be read', { error: String(error) })
    }
    for (const lobby of this.watched.values()) {
      const everyMs = this.everyMs(lobby.queueKey)
      if (everyMs < lobby.everyMs) lobby.dueAt = AT_ONCE
      lobby.everyMs = everyMs
    }
  }

  /** Returns the milliseconds between two reports of a queue's open streams. An unknown timeout counts as the smallest. */
  private everyMs(queueKey: string): number {
    return Math.max(COALESCE_MS, (this.timeouts.of(queueKey) ?? 0) / 4)
  }

  private forgetOlder(than: number): void {
    for (const [key, at] of this.written) {
      if (at > than) break
      this.written.delete(key)
    }
  }

  private async write(entries: readonly Sighting[]): Promise<void> {
    try {
      await this.storage.presence.touch(entries)
    } catch (error) {
      for (const { scope, member } of entries) this.written.delete(`${scope}\n${member}`)
      this.logger.warn('presence could not be written', { error: String(error) })
    }
  }
}
