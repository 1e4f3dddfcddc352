import type { Lobby } from '../lobby/lobby'
import { type Reported, reportedMembers } from '../lobby/reported'
import { queueKey } from '../queue/queue'
import { SECOND_MS } from '../shared/time'
import { type NamedBy, type Sighting, sightingOf } from './heard-players'
import type { TimeoutsOfQueue } from './queue-timeouts'

/** Instant before all other instants, for presence that must be written at once. */
export const AT_ONCE = 0
/** Timeouts of a queue that have not been read: the smallest timeouts that a queue may have. */
const UNKNOWN: TimeoutsOfQueue = { silentMs: 0, absentMs: 0 }

/** Lobby with open streams on this node. The timeouts of its queue decide how often the presence of its members is written. */
export class WatchedLobby {
  /** Number of open streams by member. */
  private readonly streams = new Map<string, number>()
  /** Number of open streams by member, without the streams of backends. */
  private readonly ofClients = new Map<string, number>()
  private everyMs: number
  private heardEveryMs: number
  private dueAt: number
  private heardDueAt: number

  constructor(
    private lobby: Reported & Pick<Lobby, 'id' | 'projectId' | 'queueId'>,
    /** Minimum milliseconds between two writes. */
    private readonly leastMs: number,
    at: number,
    timeouts: TimeoutsOfQueue = UNKNOWN,
  ) {
    // The caller itself records the presence at the opening of the stream.
    this.everyMs = this.silenceMs(timeouts)
    this.heardEveryMs = this.hearingMs(timeouts)
    this.dueAt = at + this.everyMs
    this.heardDueAt = this.heardAfter(at)
  }

  get queueKey(): string {
    return queueKey(this.lobby.projectId, this.lobby.queueId)
  }

  get isUnwatched(): boolean {
    return this.streams.size === 0
  }

  /** Instant of the next write of presence. */
  get nextAt(): number {
    return Math.min(this.dueAt, this.heardDueAt)
  }

  opened(member: string, by: NamedBy): void {
    count(this.streams, member, 1)
    if (by === 'client') count(this.ofClients, member, 1)
  }

  closed(member: string, by: NamedBy): void {
    count(this.streams, member, -1)
    if (by === 'client') count(this.ofClients, member, -1)
  }

  /** Returns the presence of a member whose stream ends at this instant. */
  lastOf(member: string, by: NamedBy, at: number): Sighting[] {
    const seen = { scope: this.lobby.id, member, at }
    const isHeard = by === 'client' && this.heardMembers().includes(member)
    return isHeard ? [seen, sightingOf(this.lobby.projectId, member, at, 'client')] : [seen]
  }

  /** Records the present lobby. Returns whether presence is to be written at once, because other timeouts may hold for the members. */
  changed(lobby: Lobby): boolean {
    const { queueId, status, isPrivate, hostPlayerId } = this.lobby
    const movedQueue = lobby.queueId !== queueId
    const isSame = lobby.status === status && lobby.isPrivate === isPrivate && lobby.hostPlayerId === hostPlayerId
    if (isSame && !movedQueue) return false
    this.lobby = lobby
    // A part of the new timeout may have passed since the last write.
    if (movedQueue) this.dueAt = AT_ONCE
    this.heardDueAt = AT_ONCE
    return true
  }

  /** Applies the timeouts of the lobby's queue. */
  useTimeouts(timeouts: TimeoutsOfQueue = UNKNOWN): void {
    const [everyMs, heardEveryMs] = [this.silenceMs(timeouts), this.hearingMs(timeouts)]
    if (everyMs < this.everyMs) this.dueAt = AT_ONCE
    if (heardEveryMs < this.heardEveryMs) this.heardDueAt = AT_ONCE
    this.everyMs = everyMs
    this.heardEveryMs = heardEveryMs
  }

  /** Returns the presence that is due. */
  take(now: number): Sighting[] {
    const due: Sighting[] = []
    if (this.dueAt <= now) {
      this.dueAt = now + this.everyMs
      for (const member of this.streams.keys()) due.push({ scope: this.lobby.id, member, at: now })
    }
    if (this.heardDueAt <= now) {
      this.heardDueAt = this.heardAfter(now)
      for (const member of this.heardMembers()) due.push(sightingOf(this.lobby.projectId, member, now, 'client'))
    }
    return due
  }

  private heardMembers(): readonly string[] {
    const reported = reportedMembers(this.lobby)
    return [...this.ofClients.keys()].filter(
      (member) => reported === 'all' || (reported === 'host' && member === this.lobby.hostPlayerId),
    )
  }

  private silenceMs({ silentMs }: TimeoutsOfQueue): number {
    return Math.max(this.leastMs, silentMs / 4)
  }

  /** Returns the milliseconds between two writes of presence in the project. A listed lobby needs fewer writes than one that searches. */
  private hearingMs({ absentMs }: TimeoutsOfQueue): number {
    const reported = reportedMembers(this.lobby)
    if (reported === 'none') return Number.POSITIVE_INFINITY
    return Math.max(this.leastMs, absentMs / (reported === 'all' ? 4 : 2))
  }

  /** Returns the instant of the next write of presence in the project. Long intervals end at full seconds, so that one write serves many lobbies. */
  private heardAfter(now: number): number {
    const at = now + this.heardEveryMs
    return this.heardEveryMs > SECOND_MS && Number.isFinite(at) ? at - (at % SECOND_MS) : at
  }
}

function count(streams: Map<string, number>, member: string, change: 1 | -1): void {
  const number = (streams.get(member) ?? 0) + change
  if (number > 0) streams.set(member, number)
  else streams.delete(member)
}
