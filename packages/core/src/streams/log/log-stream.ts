import { LOG_LINES, MAX_LIST_BYTES } from '../../catalog/limits'
import type { Ports } from '../../ports/ports'
import { isLive } from '../../server/game-server'
import type { ServerLogLine } from '../../server/log-line'
import { withinBytes } from '../../shared/page'
import { type Instant, SECOND_MS } from '../../shared/time'
import { PulledStream, type StreamSource } from '../pulled-stream'
import { LOG_END, type LogPosition, linesAfter, positionAfter, textOfPosition } from './log-position'

/** Milliseconds between two looks for new lines. */
const LOOK_EVERY_MS = SECOND_MS
/** Milliseconds after the end of a server in which its last lines may still be written. */
const LAST_LINES_MS = 5 * SECOND_MS
/** Number of looks in a row that may fail. After that the stream ends, and the reader resumes. */
const MAX_FAILURES = 30

/** Message about new lines of a server's log, or about the end of the log. */
export type LogMessage =
  | {
      /** New lines were written. */
      readonly event: 'lines'
      /** Position after the lines. A reader that connects again sends it as `Last-Event-ID`. */
      readonly id: string
      /** Id of the server. */
      readonly instanceId: string
      /** The lines, oldest first. */
      readonly lines: readonly ServerLogLine[]
      /** Whether older lines were left out, because too many lines were written at once. */
      readonly hasMore: boolean
      /** Object that is the same for all readers that get the same text. */
      readonly source: object
    }
  | {
      /** The log has ended. */
      readonly event: 'end'
      /** Position at the end of the log. */
      readonly id: string
      /** Id of the server. */
      readonly instanceId: string
      /** Object that is the same for all readers that get the same text. */
      readonly source: object
    }

/** Reads the newest lines of the log, oldest first. Throws UNAVAILABLE when the node with the log cannot be reached. */
export type ReadLog = (query: { readonly limit: number; readonly since?: Instant }) => Promise<ServerLogLine[]>

interface Followed {
  readonly projectId: string
  readonly keyId: string | undefined
  readonly instanceId: string
  /** Maximum number of lines of the first message. */
  readonly limit: number
  /** Time of the oldest line of the first message. */
  readonly since: Instant | undefined
  readonly position: LogPosition | undefined
}

/** Returns the newest lines that fit into one message. */
const newestOf = (lines: readonly ServerLogLine[]): readonly ServerLogLine[] =>
  withinBytes(lines.toReversed(), MAX_LIST_BYTES).toReversed()

/**
 * Stream of one reader of a server's log. The stream looks for new lines every second, and only when the reader has taken the message
 * before, so a slow reader costs one message.
 */
export class LogStream extends PulledStream<LogMessage> {
  /** Project of the server. */
  readonly projectId: string
  /** API key that opened the stream; undefined for a reader without a key. */
  readonly keyId: string | undefined
  /** Undefined, because backends read the log. */
  readonly readerId = undefined
  private position: LogPosition | undefined
  private ready: LogMessage | undefined
  private isToldEnd = false
  private failures = 0
  private cancelLook = () => {}

  constructor(
    private readonly ctx: Pick<Ports, 'storage' | 'clock' | 'timers'>,
    private readonly followed: Followed,
    private readonly readLog: ReadLog,
    source: StreamSource,
  ) {
    super(source)
    this.projectId = followed.projectId
    this.keyId = followed.keyId
    this.position = followed.position
  }

  /** Whether no message is left to read and none will come. */
  override get isOver(): boolean {
    return this.isEnded || this.isToldEnd
  }

  /** Looks for lines that the reader does not have, and for the end of the server. Throws the errors of the read. */
  async look(): Promise<void> {
    const isDone = await this.isDone()
    const since = this.position?.at ?? this.followed.since
    // More lines than the first message needs are read, so that all lines with the last time are counted.
    const lines = await this.readLog({ limit: LOG_LINES.max, ...(since === undefined ? {} : { since }) })
    this.failures = 0
    if (this.isEnded) return
    this.ready = this.messageOf(lines) ?? (isDone ? this.end() : undefined)
    if (this.ready === undefined) this.lookLater()
    else this.awake()
  }

  protected take(): LogMessage | undefined {
    const { ready } = this
    this.ready = undefined
    if (ready?.event === 'end') this.isToldEnd = true
    else if (ready !== undefined) this.lookLater()
    return ready
  }

  /** Whether no more lines will be written. This is read before the lines, so that no line is missed. */
  private async isDone(): Promise<boolean> {
    const server = await this.ctx.storage.get('server', this.followed.instanceId)
    if (server === undefined) return true
    return !isLive(server) && this.ctx.clock.now() - (server.stoppedAt ?? 0) >= LAST_LINES_MS
  }

  private messageOf(lines: readonly ServerLogLine[]): LogMessage | undefined {
    const fresh = linesAfter(this.position, lines)
    if (fresh.length === 0) return undefined
    const isWhole = lines.length < LOG_LINES.max && newestOf(lines).length === lines.length
    const isFirst = this.position === undefined
    const wanted = isFirst ? fresh.slice(-this.followed.limit) : fresh
    const kept = newestOf(wanted)
    this.position = positionAfter(lines, isWhole) ?? this.position
    const id = this.position === undefined ? '' : textOfPosition(this.position)
    const hasMore = kept.length < wanted.length || (!isFirst && !isWhole)
    return { event: 'lines', id, instanceId: this.followed.instanceId, lines: kept, hasMore, source: lines }
  }

  private end(): LogMessage {
    return { event: 'end', id: LOG_END, instanceId: this.followed.instanceId, source: {} }
  }

  protected override letGo(): void {
    super.letGo()
    this.cancelLook()
  }

  private lookLater(): void {
    this.cancelLook = this.ctx.timers.after(LOOK_EVERY_MS, () => void this.lookAgain())
  }

  private async lookAgain(): Promise<void> {
    if (this.isEnded) return
    try {
      await this.look()
    } catch {
      if (++this.failures >= MAX_FAILURES) this.close()
      else if (!this.isEnded) this.lookLater()
    }
  }
}
