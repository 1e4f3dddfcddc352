import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { StreamEvent } from '../../ports/storage/index'

/** Messages that wait for a reader; past it the reader is dropped and resumes with `Last-Event-ID` (contract §7). */
export const MAX_WAITING_MESSAGES = 256

export interface StreamMessage {
  readonly event: 'connected' | 'lobby_updated' | 'lobby_deleted'
  /** The lobby's version. */
  readonly id: number
  readonly lobby: Lobby
  /** One object for every reader of one event on this node, so that its text can be made once. */
  readonly source: object
}

/** Who reads a stream: a member, until removed, or a backend. */
export interface StreamReader {
  readonly playerId: string
  readonly backend: boolean
  /** Its key; the stream ends when it is revoked. */
  readonly keyId?: string | undefined
}

/** One reader's stream: what waits to be written, pulled one at a time. */
export class LobbyStream {
  /** Whether the reader fell too far behind. */
  dropped = false
  private readonly waiting: StreamMessage[] = []
  /** How many of those that wait were asked for by a resume; they come first. */
  private replayed = 0
  private ended = false
  private wake: (() => void) | undefined
  private cleanups: (() => void)[] = []

  constructor(
    readonly lobbyId: string,
    readonly reader: StreamReader,
    /** The version up to which the reader knows the lobby. */
    private cursor: number,
  ) {}

  get position(): number {
    return this.cursor
  }

  get isEnded(): boolean {
    return this.ended
  }

  /** The next message, when there is one; undefined once the stream has ended. */
  async next(): Promise<StreamMessage | undefined> {
    for (;;) {
      const message = this.waiting.shift()
      if (this.replayed > 0) this.replayed--
      if (message !== undefined) return message
      if (this.ended) return undefined
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  /** Lets go; nothing more comes, and a reader that waits is told. */
  close(): void {
    this.waiting.length = 0
    this.end()
  }

  onEnd(cleanup: () => void): void {
    this.cleanups.push(cleanup)
  }

  /** The lobby as it is now, as the first message. */
  pushSnapshot(lobby: Lobby): void {
    this.cursor = lobby.version
    this.push({ event: 'connected', id: lobby.version, lobby, source: lobby })
  }

  /** An event that a resume asked for: nobody falls behind by it, and what is kept of a log bounds it. */
  replayEvent(event: StreamEvent): void {
    if (!this.ended && event.version > this.cursor) this.replayed++
    this.pushEvent(event)
  }

  /** A stream event in its turn; one that the reader knows already is passed over. */
  pushEvent(event: StreamEvent): void {
    if (this.ended || event.version <= this.cursor) return
    if (event.version !== this.cursor + 1) {
      // A part of the log was forgotten before it was read here. The reader resumes, and is shown the lobby as it is.
      this.dropped = true
      this.end()
      return
    }
    this.cursor = event.version
    this.push({ event: event.name, id: event.version, lobby: event.lobby, source: event })
    const removed = !this.reader.backend && memberOf(event.lobby, this.reader.playerId) === undefined
    if (removed || event.name === 'lobby_deleted') this.end()
  }

  /** No more messages; those that wait are still read. */
  end(): void {
    if (this.ended) return
    this.ended = true
    for (const cleanup of this.cleanups.splice(0)) cleanup()
    this.awake()
  }

  private push(message: StreamMessage): void {
    if (this.waiting.length - this.replayed >= MAX_WAITING_MESSAGES) {
      this.dropped = true
      this.close()
      return
    }
    this.waiting.push(message)
    this.awake()
  }

  private awake(): void {
    const { wake } = this
    this.wake = undefined
    wake?.()
  }
}
