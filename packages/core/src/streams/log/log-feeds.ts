import type { OwnedBy } from '../../access/owner'
import { DEFAULT_LOG_LINES } from '../../catalog/limits'
import { memberId } from '../../member/member'
import type { Ports } from '../../ports/ports'
import { noSuchServer, requireServer } from '../../reads/require'
import { type Instant, MINUTE_MS } from '../../shared/time'
import type { StreamPlace } from '../places'
import { SEATS } from '../stream-limits'
import type { StreamRoom } from '../stream-room'
import { LOG_END, positionIn } from './log-position'
import { LogStream, type ReadLog } from './log-stream'

/** Input of a call that follows the log of one game server. */
export type FollowLogInput = OwnedBy & {
  /** Id of the server: `srv_` and a ULID. */
  readonly instanceId: string
  /** Maximum number of lines in the first message. */
  readonly limit?: number | undefined
  /** Time of the oldest line in the first message. Absent: the newest lines are sent, whatever their age. */
  readonly since?: Instant | undefined
  /** Text of the header `Last-Event-ID`: the position up to which the reader has the lines. */
  readonly lastEventId?: string | undefined
  /** API key of the caller, whose end ends the stream. */
  readonly keyId?: string | undefined
  /** Time at which the caller's access expires. */
  readonly until?: Instant | undefined
  /** Awaited after the stream has taken its place, before anything is read for the stream. */
  readonly turn?: (() => Promise<void>) | undefined
}

/** Maximum milliseconds of one stream. Then the reader resumes, and its credential is checked again. */
const OPEN_AT_MOST_MS = 15 * MINUTE_MS

/** Streams of the logs of game servers. */
export class LogFeeds {
  private readonly streams = new Set<LogStream>()

  constructor(
    private readonly ctx: Ports,
    private readonly room: StreamRoom,
  ) {}

  /** Opens a stream that begins with the lines that the reader does not have. Throws SERVER_NOT_FOUND, UNAVAILABLE. */
  async open(input: FollowLogInput, readLog: ReadLog): Promise<LogStream> {
    const { projectId, accountId: ownerId } = await requireServer(this.ctx, input, input.instanceId)
    const { accountId } = input
    // A session of another account than the owner's has access as a member.
    const member = accountId === undefined || accountId === ownerId ? undefined : memberId(projectId, accountId)
    const seats = { name: `logs of ${projectId}`, most: SEATS.logStreamsPerProject, past: 'oldest ends' } as const
    const holder = { projectId, keyId: input.keyId, memberId: member, isBackend: true, seats }
    return this.room.open(holder, input.turn, async (place) => {
      // A member who was removed before the stream took its place causes no later signal.
      if (member !== undefined && (await this.ctx.storage.get('member', member)) === undefined) {
        noSuchServer(input.instanceId)
      }
      return this.openIn(place, projectId, input, readLog)
    })
  }

  /** Ends every stream. */
  close(): void {
    for (const stream of [...this.streams]) stream.close()
  }

  private async openIn(
    place: StreamPlace,
    projectId: string,
    { lastEventId, instanceId, keyId, limit = DEFAULT_LOG_LINES, since, until }: FollowLogInput,
    readLog: ReadLog,
  ): Promise<LogStream> {
    const { clock, timers } = this.ctx
    const followed = { projectId, keyId, instanceId, limit, since, position: positionIn(lastEventId) }
    const stream = new LogStream(this.ctx, followed, readLog, { waiting: this.room.waiting })
    this.streams.add(stream)
    stream.onEnd(() => this.streams.delete(stream))
    place.fill(stream)
    if (lastEventId === LOG_END) stream.close()
    else await stream.look()
    const latest = clock.now() + OPEN_AT_MOST_MS
    stream.closeAt(Math.min(until ?? latest, latest), { clock, timers })
    return stream
  }
}
