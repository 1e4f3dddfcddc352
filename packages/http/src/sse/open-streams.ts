import type { EventStream } from '@matchyard/core'
import type { Timers } from '@matchyard/core/ports'
import type { AgentMessage } from '../agents/wanted-stream'
import type { CallSource, OpenStream } from '../options'
import type { FeedPage, LogMessage, ServerMessage, StreamMessage } from '../wire/core-types'
import { comeBackFrame, frameOf, PING_FRAME, RETRY_FRAME } from './frame'
import { ReplayTurns } from './replay-turns'
import type { Sink } from './sink'

export type AnyStream = EventStream<StreamMessage | ServerMessage | LogMessage | FeedPage | AgentMessage>

/** Milliseconds between keep-alives (docs/http-api.md §7). */
export const HEARTBEAT_MS = 15_000

/** Number of bytes after which a stream pauses, so that other calls run before it writes more. */
const TURN_BYTES = 128 * 1024

const NOWHERE: CallSource = { address: 'unknown' }

/**
 * Event streams of this application. This class writes their events, sends keep-alives, and ends all streams at a
 * shutdown.
 */
export class OpenStreams {
  private readonly open = new Map<AnyStream, OpenStream>()
  /** Queue in which readers wait before they open a stream or read the log of events. */
  readonly turns = new ReplayTurns()
  private closing = false
  private sentAway = 0

  constructor(private readonly timers: Timers) {}

  get size(): number {
    return this.open.size
  }

  /**
   * Ends every open stream, and every stream that is opened later. The last frame of each stream says when the reader
   * should connect again.
   */
  closeAll(): void {
    this.closing = true
    for (const stream of this.open.keys()) stream.close()
  }

  /** Returns the open streams. */
  now(): Iterable<OpenStream> {
    return this.open.values()
  }

  /**
   * Writes a stream to its end. Resolves when the reader has disconnected, the lobby has ended, the access has expired,
   * or the service shuts down.
   */
  async pump(stream: AnyStream, sink: Sink, source: CallSource = NOWHERE): Promise<void> {
    this.open.set(stream, {
      source,
      get waitingBytes() {
        return sink.pending
      },
    })
    const stopPings = this.keepAlive(stream, sink)
    // A reader that is too far behind is cut off at once, even while its socket accepts no bytes.
    stream.onEnd(() => {
      if (stream.dropped) sink.destroy()
    })
    try {
      // A reader may have disconnected while its stream was being opened. No later event reports that.
      if (this.closing || sink.closed) stream.close()
      sink.write(RETRY_FRAME)
      for (let written = 0; ; ) {
        if (stream.lags) await this.turns.run(stream, () => stream.fill())
        let message = await stream.next()
        if (message === undefined) break
        const frame = frameOf(message)
        // While the bytes of a message wait, only the bytes are kept in memory, and not the message object.
        message = undefined
        // Bytes that wait for a reader are counted. A reader is cut off if it reads nothing for too long. If too many
        // bytes wait for the readers of one API key, or of the node, the readers that have waited longest are cut off.
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
   * Sends keep-alives. Cuts off a reader that has disconnected, and a reader that accepted no bytes between two
   * keep-alives although bytes were waiting for it. Returns a function that stops the keep-alives.
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
      // While other bytes wait for the reader, a keep-alive would only add to the waiting bytes.
      if (pending === 0) sink.write(PING_FRAME)
      cancel = this.timers.after(HEARTBEAT_MS, tick)
    }
    cancel = this.timers.after(HEARTBEAT_MS, tick)
    return () => cancel()
  }
}
