import type { EventStream } from '@matchyard/core'
import type { Timers } from '@matchyard/core/ports'
import type { CallSource, OpenStream } from '../options'
import type { FeedPage, ServerMessage, StreamMessage } from '../wire/core-types'
import { comeBackFrame, frameOf, PING_FRAME, RETRY_FRAME } from './frame'
import { ReplayTurns } from './replay-turns'
import type { Sink } from './sink'

export type AnyStream = EventStream<StreamMessage | ServerMessage | FeedPage>

/** A keep-alive goes out this often (docs/http-api.md §7). */
const PING_MS = 15_000

/** Bytes that a stream writes before others have their turn. */
const TURN_BYTES = 128 * 1024

const NOWHERE: CallSource = { address: 'unknown' }

/** The event streams of this application: written, kept alive, and ended together at a shutdown. */
export class OpenStreams {
  private readonly open = new Map<AnyStream, OpenStream>()
  /** Turns for opening streams and reading logs. */
  readonly turns = new ReplayTurns()
  private closing = false
  private sentAway = 0

  constructor(private readonly timers: Timers) {}

  get size(): number {
    return this.open.size
  }

  /** Ends every stream, and later ones as they begin; each reader is told when to come back. */
  closeAll(): void {
    this.closing = true
    for (const stream of this.open.keys()) stream.close()
  }

  /** Each stream that is open. */
  now(): Iterable<OpenStream> {
    return this.open.values()
  }

  /** Writes a stream to its end. Resolves when the reader, the lobby, the right to read or the service is gone. */
  async pump(stream: AnyStream, sink: Sink, source: CallSource = NOWHERE): Promise<void> {
    this.open.set(stream, {
      source,
      get waitingBytes() {
        return sink.pending
      },
    })
    const stopPings = this.keepAlive(stream, sink)
    // A reader that fell too far behind is cut off at once, also while its socket takes nothing.
    stream.onEnd(() => {
      if (stream.dropped) sink.destroy()
    })
    try {
      // A reader may have gone while its stream was being opened; nothing tells of that any more.
      if (this.closing || sink.closed) stream.close()
      sink.write(RETRY_FRAME)
      for (let written = 0; ; ) {
        if (stream.lags) await this.turns.run(stream, () => stream.fill())
        let message = await stream.next()
        if (message === undefined) break
        const frame = frameOf(message)
        // Only its bytes are held while they wait, not what they were made of.
        message = undefined
        // Bytes that wait are counted while they do; a reader that stalls too long, or with too many others, is cut off.
        if (!sink.write(frame)) {
          stream.waits(frame, frame.byteLength, Math.max(0, sink.pending - frame.byteLength))
          await sink.room()
          stream.goesOn()
        }
        if (sink.closed) break
        // A system that takes megabytes at once would have this stream go on for as long as it does, and every other call wait.
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

  /** Pings, and cuts off a reader that is gone, or took nothing between two of them although bytes were waiting for it. */
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
      // To a reader that lags a ping would only be more to wait for.
      if (pending === 0) sink.write(PING_FRAME)
      cancel = this.timers.after(PING_MS, tick)
    }
    cancel = this.timers.after(PING_MS, tick)
    return () => cancel()
  }
}
