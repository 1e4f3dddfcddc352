import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import type { Logger } from '../ports/logger'
import type { Storage } from '../ports/storage/index'
import { QueueTimeouts } from './queue-timeouts'

/** A player's sightings closer together than this are written once; a quarter of the smallest timeout (docs/http-api.md §5: 1 s). */
const COALESCE_MS = 250
/** Sightings of the last quarter second that are remembered for coalescing; past it the memory is dropped, which only costs writes. */
const MAX_REMEMBERED = 100_000
/** Earlier than any instant. */
const AT_ONCE = 0

interface Sighting {
  readonly scope: string
  readonly member: string
  readonly at: number
}

/** A lobby with open streams on this node. */
interface Watched {
  readonly scope: string
  /** How many streams each member has open. */
  readonly members: Map<string, number>
  queueKey: string
  everyMs: number
  dueAt: number
}

/** Notes that players and processes were seen. Never fails a call: a lost sighting costs at most one later one. */
export class PresenceTracker {
  /** The longest ago first. */
  private readonly written = new Map<string, number>()
  private readonly watched = new Map<string, Watched>()
  private readonly timeouts: QueueTimeouts
  /** Sightings of ended streams, written with the next sweep: many at once are one write. */
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

  /** Many at once are one write. */
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

  /** Members have gone: when they were last seen up to this instant is nobody's business any more. */
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
   * A member opened an event stream of a lobby, which counts as a heartbeat every quarter of the smallest timeout that its queue
   * has now, whatever it had when the stream opened. The answer is called as it ends, with the instant if the member was there
   * until then: its end is a sighting too.
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

  /** A lobby is in this queue; where it was in another one, its open streams report by the timeouts of this one from now on. */
  lobbyIsIn(scope: string, queueKey: string): void {
    const lobby = this.watched.get(scope)
    if (lobby === undefined || lobby.queueKey === queueKey) return
    lobby.queueKey = queueKey
    // A reader is present, and a new timeout may be nearly over when it becomes known.
    lobby.dueAt = AT_ONCE
    this.wake(AT_ONCE)
  }

  /** A queue may have other timeouts; undefined: any queue. */
  queueChanged(queueKey?: string): void {
    if (this.timeouts.forget(queueKey)) this.wake(AT_ONCE)
  }

  /** Writes the open streams that are due, and what ended since the last time, in one call. */
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

  /** When the next sweep is due. */
  nextSweepAt(): number | undefined {
    if (this.ended.length > 0 || this.timeouts.isBehind) return AT_ONCE
    let next: number | undefined
    for (const { dueAt } of this.watched.values()) if (next === undefined || dueAt < next) next = dueAt
    return next
  }

  /** Tells when a sweep has become due, which may be earlier than `nextSweepAt` said. */
  whenDue(wake: (at: number) => void): void {
    this.wake = wake
  }

  /** How many sightings are remembered. */
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
    // Opening it was a sighting, which the caller notes.
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

  /** Where the timeout is not known yet, as if it were the smallest. */
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
