import { asStreamedTo } from '../../lobby/as-seen'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { Service } from '../../node/service'
import type { LoggedEvent, StreamEvent } from '../../ports/storage/index'
import { Followed } from '../follower'
import { PulledStream } from '../pulled-stream'
import type { RecentPages } from '../recent-pages'
import { MISSED, PAGE } from '../stream-limits'
import type { WaitingBytes } from '../waiting-bytes'

/** Event of a lobby's stream. */
export interface StreamMessage {
  /** Kind of the event. `connected`: the first event. `lobby_deleted`: the last event, with the lobby in its last state. */
  readonly event: 'connected' | 'lobby_updated' | 'lobby_deleted'
  /** Version of the lobby. */
  readonly id: number
  /** The lobby after the event, as the reader may see it. */
  readonly lobby: Lobby
  /**
   * Object that is the same for all readers on this node that get the event in the same form. The text of the event is therefore made once.
   */
  readonly source: object
}

/** Reader of a stream: a backend, or a member until the member is removed from the lobby. */
export interface StreamReader {
  readonly projectId: string
  readonly playerId: string
  readonly backend: boolean
  /** API key of the reader. The stream ends when the key is revoked. */
  readonly keyId?: string | undefined
  /** Whether the reader makes an answer of a message and hides what its caller may not see. Default: false. */
  readonly forAnswer?: boolean
}

/**
 * Stream of one reader of a lobby. The reader gets every event. A reader that is up to date gets events from pages that all readers share;
 * a reader that lags gets them from the log, as far as the log goes back.
 */
export class LobbyStream extends PulledStream<StreamMessage, LobbyLog> {
  private snapshot: Lobby | undefined
  /** Last version that this stream delivers. */
  private last = Number.POSITIVE_INFINITY
  /** Events and bytes that the reader missed while its socket was full; undefined while the socket accepts messages. */
  private missed: { events: number; bytes: number } | undefined
  private readonly overs: (() => void)[] = []

  constructor(
    /** Reader of the stream. */
    readonly reader: StreamReader,
    /** Version up to which the reader has received the lobby. */
    private cursor: number,
    source: LobbyLog,
  ) {
    super(source)
  }

  /** Id of the lobby. */
  get lobbyId(): string {
    return this.source.id
  }

  /** Project of the lobby. */
  get projectId(): string {
    return this.reader.projectId
  }

  /** API key that opened the stream; undefined for a reader without a key. */
  get keyId(): string | undefined {
    return this.reader.keyId
  }

  /** Id of the player that reads; undefined when a backend reads without naming a player. */
  get readerId(): string | undefined {
    return this.reader.playerId
  }

  /** Whether no message is left to read and none will come. */
  override get isOver(): boolean {
    return this.isEnded || (this.snapshot === undefined && this.cursor >= this.last)
  }

  /** Whether the next message must be fetched from the log first. */
  override get lags(): boolean {
    return this.hasMore && this.snapshot === undefined && this.source.find(this.cursor + 1) === undefined
  }

  /** Whether another message is ready or can be read from the log. */
  get hasMore(): boolean {
    return !this.isOver && (this.snapshot !== undefined || this.source.version > this.cursor)
  }

  /** Makes the present lobby the first message. */
  begin(lobby: Lobby): void {
    this.cursor = lobby.version
    this.snapshot = this.shown(lobby)
  }

  private shown(lobby: Lobby): Lobby {
    return this.reader.forAnswer === true ? lobby : asStreamedTo(lobby, this.reader)
  }

  /** Tells the stream about an event of the log. After the event by which the reader leaves the lobby, the reader gets no more events. */
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

  /** Ends the stream after this version. Events up to this version are still delivered. */
  endAfter(version: number): void {
    this.last = Math.min(this.last, version)
    this.tellOver()
    this.awake()
  }

  /** Registers a function that is called when the reader will get no further changes, even if some messages are still to be read. */
  onOver(cleanup: () => void): void {
    this.overs.push(cleanup)
  }

  /** Counts the bytes that wait because the reader's socket is full, as `EventStream.waits` describes. */
  override waits(chunk: object, chunkBytes: number, ownBytes: number): void {
    if (!this.isEnded) this.missed ??= { events: 0, bytes: 0 }
    super.waits(chunk, chunkBytes, ownBytes)
  }

  /** Records that the reader's socket accepts data again. */
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
    const lobby = this.shown(event.lobby)
    return { event: event.name, id: event.version, lobby, source: lobby === event.lobby ? event : lobby }
  }

  protected override async readOn(): Promise<void> {
    const from = this.cursor
    const [first] = await this.source.readAfter(from)
    // A part of the log was deleted before this stream read it. The reader resumes with the present lobby.
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

/**
 * Log of the events of one lobby. Each event has the lobby's version at that time. Readers at the end of the log share one read. A reader
 * that lags reads the log separately.
 */
export class LobbyLog extends Followed<LobbyStream> {
  private shown: WeakRef<Lobby> | undefined

  constructor(
    private readonly shared: {
      readonly ctx: Service
      readonly recent: RecentPages<LoggedEvent>
      readonly waiting: WaitingBytes
    },
    lobbyId: string,
    /** Version up to which the log has been read for all readers. */
    public version: number,
  ) {
    super(lobbyId)
  }

  get waiting(): WaitingBytes {
    return this.shared.waiting
  }

  /**
   * Returns the same object for all readers that get the lobby at the same version, so that the lobby's text is made once. The object is
   * kept as long as a reader uses it.
   */
  shownAs(lobby: Lobby): Lobby {
    const known = this.shown?.deref()
    if (known?.version === lobby.version) return known
    this.shown = new WeakRef(lobby)
    return lobby
  }

  find(version: number): LoggedEvent | undefined {
    return this.shared.recent.find(this.id, version)
  }

  async readAfter(version: number): Promise<readonly LoggedEvent[]> {
    const { ctx, recent } = this.shared
    const events = await ctx.storage.events.read(this.id, version, PAGE.events, PAGE.bytes)
    recent.add(this.id, events[0]?.version ?? 0, events)
    return events
  }

  protected async once(): Promise<boolean> {
    if (await this.readPage()) return true
    // A log always keeps its newest event. If the log is empty, the lobby was deleted so long ago that its log was removed. The streams
    // then end after one more read.
    if ((await this.shared.ctx.storage.events.heads([this.id])).length > 0) return false
    if (await this.readPage()) return true
    for (const stream of [...this.streams]) stream.endAfter(this.version)
    return false
  }

  /** Reads a page for all readers. Returns whether the page had events. */
  private async readPage(): Promise<boolean> {
    const events = await this.readAfter(this.version)
    for (const event of events) {
      this.version = event.version
      this.shared.ctx.node.presence.lobbyChanged(event.lobby)
      for (const stream of this.streams) stream.announce(event)
    }
    return events.length > 0
  }
}
