import { asSeenBy } from '../../lobby/as-seen'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { LoggedEvent, StreamEvent } from '../../ports/storage/index'
import { PulledStream } from '../pulled-stream'
import { MISSED } from '../stream-limits'

export interface StreamMessage {
  readonly event: 'connected' | 'lobby_updated' | 'lobby_deleted'
  /** The lobby's version. */
  readonly id: number
  readonly lobby: Lobby
  /** One object for every reader of one event on this node who is shown the same, so that its text can be made once. */
  readonly source: object
}

/** Who reads a stream: a member, until removed, or a backend. */
export interface StreamReader {
  readonly projectId: string
  readonly playerId: string
  readonly backend: boolean
  /** Its key; the stream ends when it is revoked. */
  readonly keyId?: string | undefined
}

/** Where a stream's events come from. */
export interface StreamSource {
  /** The newest version that is known to be in the log. */
  readonly version: number
  /** An event that was read a moment ago, by whomever. */
  find(version: number): LoggedEvent | undefined
  /** Reads the log after a version, one page, which `find` then knows. Throws what the storage throws. */
  read(afterVersion: number): Promise<readonly LoggedEvent[]>
  /** Bytes wait for this stream's reader. */
  waits(stream: LobbyStream, chunk: object, chunkBytes: number, ownBytes: number): void
  goesOn(stream: LobbyStream): void
}

/**
 * One reader's stream, pulled one message at a time. It holds no messages, only where its reader is: one that keeps up shares
 * what all readers of the lobby share, one that does not reads the log, as far as that goes back, at its own pace.
 */
export class LobbyStream extends PulledStream<StreamMessage> {
  private snapshot: Lobby | undefined
  /** Nothing comes after this version. */
  private last = Number.POSITIVE_INFINITY
  /** What passed its reader since it has no room; undefined while it has. */
  private missed: { events: number; bytes: number } | undefined
  private overs: (() => void)[] = []

  constructor(
    readonly lobbyId: string,
    readonly reader: StreamReader,
    /** The version up to which the reader knows the lobby. */
    private cursor: number,
    private readonly source: StreamSource,
  ) {
    super()
  }

  get projectId(): string {
    return this.reader.projectId
  }

  get keyId(): string | undefined {
    return this.reader.keyId
  }

  get readerId(): string | undefined {
    return this.reader.playerId
  }

  /** Whether nothing is left to be read, and nothing will come. */
  override get isOver(): boolean {
    return this.isEnded || (this.snapshot === undefined && this.cursor >= this.last)
  }

  /** Whether the next message has to be read from the log first; see `fill`. */
  get lags(): boolean {
    const { snapshot, cursor, source } = this
    return !this.isOver && snapshot === undefined && source.version > cursor && source.find(cursor + 1) === undefined
  }

  /** Whether another message is at hand, or in the log. */
  get hasMore(): boolean {
    return !this.isOver && (this.snapshot !== undefined || this.source.version > this.cursor)
  }

  async next(): Promise<StreamMessage | undefined> {
    for (;;) {
      const message = this.take()
      if (message !== undefined) return message
      if (this.isOver) {
        this.close()
        return undefined
      }
      if (this.lags) await this.fill()
      else await this.sleep()
    }
  }

  /** Reads a page of the log, so that the next messages are at hand. Never throws: a log that cannot be read ends the stream. */
  async fill(): Promise<void> {
    const from = this.cursor
    try {
      const [first] = await this.source.read(from)
      // A part of the log was forgotten before it was read here. The reader resumes, and is shown the lobby as it is.
      if (first?.version !== from + 1 && this.cursor === from) this.drop()
    } catch {
      // Going on would leave a gap; the reader resumes by its last id.
      this.close()
    }
  }

  /** The lobby as it is now, as the first message. */
  begin(lobby: Lobby): void {
    this.cursor = lobby.version
    this.snapshot = lobby
  }

  /** Something new is in the log, up to this event. Whose last one it is, is no longer there for the lobby. */
  announce(event: LoggedEvent): void {
    const { missed } = this
    if (missed !== undefined) {
      missed.events++
      missed.bytes += event.bytes
      if (missed.events > MISSED.events || missed.bytes > MISSED.bytes) {
        this.drop()
        return
      }
    }
    if (event.version > this.cursor && this.isLast(event)) this.endAfter(event.version)
    this.awake()
  }

  /** Nothing comes after this version; what lies before is still read. */
  endAfter(version: number): void {
    this.last = Math.min(this.last, version)
    run(this.overs)
    this.awake()
  }

  /** Called when nothing more will happen that the reader may see, also where some is still to be read. */
  onOver(cleanup: () => void): void {
    this.overs.push(cleanup)
  }

  /** The reader has no room for a message: `chunk` waits, which others may wait for too, and some bytes of its own. */
  waits(chunk: object, chunkBytes: number, ownBytes: number): void {
    if (this.isEnded) return
    this.missed ??= { events: 0, bytes: 0 }
    this.source.waits(this, chunk, chunkBytes, ownBytes)
  }

  /** The reader has room again. */
  goesOn(): void {
    this.missed = undefined
    this.source.goesOn(this)
  }

  private take(): StreamMessage | undefined {
    if (this.isOver) return undefined
    const { snapshot } = this
    if (snapshot !== undefined) {
      this.snapshot = undefined
      return { event: 'connected', id: snapshot.version, lobby: snapshot, source: snapshot }
    }
    const event = this.source.find(this.cursor + 1)
    if (event === undefined) return undefined
    this.cursor = event.version
    if (this.isLast(event)) this.endAfter(event.version)
    const lobby = asSeenBy(event.lobby, this.reader)
    return { event: event.name, id: event.version, lobby, source: lobby === event.lobby ? event : lobby }
  }

  private isLast({ name, lobby }: StreamEvent): boolean {
    return name === 'lobby_deleted' || (!this.reader.backend && memberOf(lobby, this.reader.playerId) === undefined)
  }

  protected override letGo(): void {
    this.snapshot = undefined
    super.letGo()
    run(this.overs)
  }
}

function run(callbacks: (() => void)[]): void {
  for (const callback of callbacks.splice(0)) callback()
}
