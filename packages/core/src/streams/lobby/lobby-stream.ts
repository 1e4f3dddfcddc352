import { asSeenBy } from '../../lobby/as-seen'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { LoggedEvent, StreamEvent } from '../../ports/storage/index'
import { PulledStream, type StreamSource } from '../pulled-stream'
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
interface EventSource extends StreamSource {
  /** The lobby's id. */
  readonly id: string
  /** The newest version that is known to be in the log. */
  readonly version: number
  /** An event that was read a moment ago, by whomever. */
  find(version: number): LoggedEvent | undefined
  /** Reads the log after a version, one page, which `find` then knows. Throws what the storage throws. */
  readAfter(version: number): Promise<readonly LoggedEvent[]>
}

/** One reader of a lobby: every event is told, from what all share or, where the reader lags, from the log as far as that goes back. */
export class LobbyStream extends PulledStream<StreamMessage, EventSource> {
  private snapshot: Lobby | undefined
  /** Nothing comes after this version. */
  private last = Number.POSITIVE_INFINITY
  /** What passed its reader since it has no room; undefined while it has. */
  private missed: { events: number; bytes: number } | undefined
  private readonly overs: (() => void)[] = []

  constructor(
    readonly reader: StreamReader,
    /** The version up to which the reader knows the lobby. */
    private cursor: number,
    source: EventSource,
  ) {
    super(source)
  }

  get lobbyId(): string {
    return this.source.id
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

  override get isOver(): boolean {
    return this.isEnded || (this.snapshot === undefined && this.cursor >= this.last)
  }

  override get lags(): boolean {
    return this.hasMore && this.snapshot === undefined && this.source.find(this.cursor + 1) === undefined
  }

  /** Whether another message is at hand, or in the log. */
  get hasMore(): boolean {
    return !this.isOver && (this.snapshot !== undefined || this.source.version > this.cursor)
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
    this.tellOver()
    this.awake()
  }

  /** Called when nothing more will happen that the reader may see, also where some is still to be read. */
  onOver(cleanup: () => void): void {
    this.overs.push(cleanup)
  }

  override waits(chunk: object, chunkBytes: number, ownBytes: number): void {
    if (!this.isEnded) this.missed ??= { events: 0, bytes: 0 }
    super.waits(chunk, chunkBytes, ownBytes)
  }

  override goesOn(): void {
    this.missed = undefined
    super.goesOn()
  }

  protected take(): StreamMessage | undefined {
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

  protected override async readOn(): Promise<void> {
    const from = this.cursor
    const [first] = await this.source.readAfter(from)
    // A part of the log was forgotten before it was read here. The reader resumes, and is shown the lobby as it is.
    if (first?.version !== from + 1 && this.cursor === from) this.drop()
  }

  protected override letGo(): void {
    this.snapshot = undefined
    super.letGo()
    this.tellOver()
  }

  private isLast({ name, lobby }: StreamEvent): boolean {
    return name === 'lobby_deleted' || (!this.reader.backend && memberOf(lobby, this.reader.playerId) === undefined)
  }

  private tellOver(): void {
    for (const over of this.overs.splice(0)) over()
  }
}
