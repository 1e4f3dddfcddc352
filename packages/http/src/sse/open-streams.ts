import type { EventStream } from '@matchyard/core'
import type { Timers } from '@matchyard/core/ports'
import type { CallSource, OpenStream } from '../options'
import type { FeedPage, ServerMessage, StreamMessage } from '../wire/core-types'
import { comeBackFrame, frameOf, PING_FRAME, RETRY_FRAME } from './frame'
import { ReplayTurns } from './replay-turns'
import type { Sink } from './sink'

export type AnyStream = EventStream<StreamMessage | ServerMessage | FeedPage>

/** Milliseconds between keep-alives (docs/http-api.md §7). */
const PING_MS = 15_000

/** Bytes that a stream writes before it waits for another turn. */
const TURN_BYTES = 128 * 1024

const NOWHERE: CallSource = { address: 'unknown' }

/** Event streams of this application. It writes them, keeps them alive, and ends all of them at a shutdown. */
export class OpenStreams {
  private readonly open = new Map<AnyStream, OpenStream>()
  /** Turns in which streams are opened and read the log. */
  readonly turns = new ReplayTurns()
  private closing = false
  private sentAway = 0

  constructor(private readonly timers: Timers) {}

  get size(): number {
    return this.open.size
  }

  /** Ends every stream, and later streams at once. Each reader is told when to come back. */
  closeAll(): void {
    this.closing = true
    for (const stream of this.open.keys()) stream.close()
  }

  /** Returns the open streams. */
  now(): Iterable<OpenStream> {
    return this.open.values()
  }

  /**
   * Writes a stream to its end. Resolves when the reader or the lobby is gone, the right to read has ended, or the
   * service shuts down.
   */
  async pump(stream: AnyStream, sink: Sink, source: CallSource = NOWHERE): Promise<void> {
    this.open.set(stream, {
      source,
      get waitingBytes() {
        return sink.pending
      },
    })
    const stopPings = this.keepAlive(stream, sink)
    // A reader that is too far behind is cut off at once, even while its socket accepts nothing.
    stream.onEnd(() => {
      if (stream.dropped) sink.destroy()
    })
    try {
      // A reader may have left while its stream was being opened. No later event reports that.
      if (this.closing || sink.closed) stream.close()
      sink.write(RETRY_FRAME)
      for (let written = 0; ; ) {
        if (stream.lags) await this.turns.run(stream, () => stream.fill())
        let message = await stream.next()
        if (message === undefined) break
        const frame = frameOf(message)
        // While the bytes wait, only they are held, and not the objects that they were made from.
        message = undefined
        // Waiting bytes are counted. A reader that stalls too long, or together with too many others, is cut off.
        if (!sink.write(frame)) {
          stream.waits(frame, frame.byteLength, Math.max(0, sink.pending - frame.byteLength))
          await sink.room()
          stream.goesOn()
        }
        if (sink.closed) break
        // A socket can accept megabytes at once. Without a pause this stream would occupy the event loop, and all other
        // calls would wait.
        written += frame.byteLength
        if (written >= TURN_BYTES) {
          written = 0
          await this.turns.begin(stream)
        }
      }
    } finally {
      stopPings()
      this.open.delete(stream)
      stream.close()
      if (this.closing && !stream.dropped) sink.write(comeBackFrame(this.sentAway++))
      sink.end()
    }
  }

  /**
   * Sends keep-alives. Cuts off a reader that is gone, and a reader that accepted nothing between two keep-alives
   * although bytes were waiting for it. Returns a function that stops the keep-alives.
   */
  private keepAlive(stream: AnyStream, sink: Sink): () => void {
    let cancel = () => {}
    let lagged = false
    let takenBefore = 0
    const tick = () => {
      const { pending, taken } = sink
      if (sink.closed || (lagged && taken === takenBefore)) {
        stream.close()
        return sink.destroy()
      }
      lagged = pending > 0
      takenBefore = taken
      // For a reader that lags, a keep-alive would only add waiting bytes.
      if (pending === 0) sink.write(PING_FRAME)
      cancel = this.timers.after(PING_MS, tick)
    }
    cancel = this.timers.after(PING_MS, tick)
    return () => cancel()
  }
}
