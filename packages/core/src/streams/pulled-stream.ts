import type { Clock, Timers } from '../ports/clock'
import type { Instant } from '../shared/time'
import type { EventStream } from './event-stream'
import type { WaitingBytes } from './waiting-bytes'

/** Source of messages that a stream follows. */
export interface StreamSource {
  /** Bytes that the readers of this node have not received yet. */
  readonly waiting: WaitingBytes
}

/**
 * Stream of one reader, which asks for one message at a time. The stream stores no messages, only the reader's position. Each kind of
 * stream returns its next message that is ready, and decides how a reader that lags continues.
 */
export abstract class PulledStream<Message, Source extends StreamSource = StreamSource>
  implements EventStream<Message>
{
  abstract readonly projectId: string
  abstract readonly keyId: string | undefined
  abstract readonly readerId: string | undefined
  dropped = false
  private ended = false
  private wake: (() => void) | undefined
  private readonly ends: (() => void)[] = []

  constructor(protected readonly source: Source) {}

  /** Whether the stream was closed. Messages may still be left to read. */
  get isEnded(): boolean {
    return this.ended
  }

  get isOver(): boolean {
    return this.ended
  }

  get lags(): boolean {
    return false
  }

  async next(): Promise<Message | undefined> {
    for (;;) {
      const message = this.isOver ? undefined : this.take()
      if (message !== undefined) return message
      if (this.isOver) {
        this.close()
        return undefined
      }
      if (this.lags) await this.fill()
      else await this.sleep()
    }
  }

  /** Yields the messages until the stream ends. A loop that stops early closes the stream. */
  async *[Symbol.asyncIterator](): AsyncIterator<Message> {
    try {
      for (let message = await this.next(); message !== undefined; message = await this.next()) yield message
    } finally {
      this.close()
    }
  }

  async fill(): Promise<void> {
    try {
      await this.readOn()
    } catch {
      // Continuing after a failure would leave out messages, so the stream ends. The reader resumes with its last event id.
      this.close()
    }
  }

  waits(chunk: object, chunkBytes: number, ownBytes: number): void {
    if (!this.ended) this.source.waiting.add(this, chunk, chunkBytes, ownBytes)
  }

  goesOn(): void {
    this.source.waiting.remove(this)
  }

  close(): void {
    if (this.ended) return
    this.ended = true
    this.letGo()
    for (const end of this.ends.splice(0)) end()
    this.awake()
  }

  /** Ends the stream at a given time, unless it has ended before. */
  closeAt(until: Instant | undefined, { clock, timers }: { readonly clock: Clock; readonly timers: Timers }): void {
    if (until !== undefined) this.onEnd(timers.after(Math.max(0, until - clock.now()), () => this.close()))
  }

  /** Ends the stream of a reader that is too far behind, or that reads nothing while too many bytes wait. The reader can resume. */
  drop(): void {
    if (!this.ended) this.dropped = true
    this.close()
  }

  onEnd(cleanup: () => void): void {
    this.ends.push(cleanup)
  }

  /** Wakes a waiting reader, because a message may be ready. */
  awake(): void {
    const { wake } = this
    this.wake = undefined
    wake?.()
  }

  /** Returns the next message if one is ready. */
  protected abstract take(): Message | undefined

  /** Reads a page for this reader alone. Throws the errors of the storage. */
  protected async readOn(): Promise<void> {}

  /** Releases all objects that the stream holds for its reader; called at the end of the stream. */
  protected letGo(): void {
    this.goesOn()
  }

  private sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }
}
