import type { Timers } from '@matchyard/core/ports'

/** Result of a write: the accepted bytes, or the error. */
export type Written = (error: NodeJS.ErrnoException | null, bytes: number) => void

/** Where lines go: a descriptor that takes what it can, at once or later. */
export interface LogSink {
  /** Never waits on the event loop and never throws; `done` may be called before it returns. */
  write(bytes: Buffer, done: Written): void
  /** Writes at once and answers how much; throws what the system says, EAGAIN where nobody takes anything. */
  writeNow(bytes: Buffer): number
}

/** Bytes of lines that wait for a slow reader or a full disk; past it lines are dropped and counted. */
export const MAX_WAITING_BYTES = 1024 * 1024
/** Bytes of one write: the size of a pipe. */
const MAX_WRITE_BYTES = 64 * 1024
/** A reader that is only slow has taken something by then. */
const SLOW_READER_MS = 20
/** Between tries at a disk that is full, or a reader that is gone. */
const REFUSED_MS = 1_000
/** Between looks at a slow reader while the process ends. */
const LAST_LOOK_MS = 5

/**
 * Takes lines and never waits, never throws and never grows past its bound: a reader that stalls or a disk that is full costs
 * lines of the log and nothing else.
 */
export class LogOutlet {
  private waiting: Buffer[] = []
  private waitingBytes = 0
  private writing = false
  private droppedLines = 0
  private drains: (() => void)[] = []

  constructor(
    private readonly sink: LogSink,
    private readonly timers: Timers,
    private readonly maxBytes: number = MAX_WAITING_BYTES,
  ) {}

  /** Lines that found no room, since the start. */
  get dropped(): number {
    return this.droppedLines
  }

  /** Adds a line. Returns whether there was space for it. */
  write(line: string): boolean {
    const bytes = Buffer.from(line)
    if (this.waitingBytes + bytes.byteLength > this.maxBytes) {
      this.droppedLines++
      return false
    }
    this.waiting.push(bytes)
    this.waitingBytes += bytes.byteLength
    this.pump()
    return true
  }

  /** Resolves once nothing waits, at the latest after `ms`. */
  drained(ms: number): Promise<void> {
    if (this.waitingBytes === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.drains.push(resolve)
      this.timers.after(ms, resolve)
    })
  }

  /** Writes the waiting lines of an ending process while the reader takes them, for at most `ms`, during which nothing else runs. */
  finish(ms: number): void {
    const until = performance.now() + ms
    while (this.waiting.length > 0) {
      try {
        this.taken(this.sink.writeNow(this.next()))
      } catch (error) {
        if (!isFull(error) || performance.now() >= until) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_LOOK_MS)
      }
    }
  }

  private pump(): void {
    if (this.writing || this.waiting.length === 0) return
    this.writing = true
    const chunk = this.next()
    // The line is being written, so `finish` must not write it again.
    this.waiting.shift()
    this.sink.write(chunk, (error, bytes) => {
      const rest = error === null ? chunk.subarray(bytes) : chunk
      if (rest.byteLength > 0) this.waiting.unshift(rest)
      this.waitingBytes -= chunk.byteLength - rest.byteLength
      if (error === null) return this.resume()
      this.timers.after(isFull(error) ? SLOW_READER_MS : REFUSED_MS, () => this.resume())
    })
  }

  private resume(): void {
    this.writing = false
    if (this.waitingBytes === 0) for (const drained of this.drains.splice(0)) drained()
    this.pump()
  }

  /** The first chunk, made of as many lines as go into one write. */
  private next(): Buffer {
    let bytes = 0
    let lines = 0
    for (const line of this.waiting) {
      if (lines > 0 && bytes + line.byteLength > MAX_WRITE_BYTES) break
      bytes += line.byteLength
      lines++
    }
    const [first = Buffer.alloc(0)] = this.waiting
    const chunk = lines === 1 ? first : Buffer.concat(this.waiting.slice(0, lines), bytes)
    this.waiting.splice(0, lines, chunk)
    return chunk
  }

  private taken(bytes: number): void {
    const [chunk = Buffer.alloc(0)] = this.waiting
    const rest = chunk.subarray(bytes)
    this.waiting.splice(0, 1, ...(rest.byteLength > 0 ? [rest] : []))
    this.waitingBytes -= bytes
  }
}

const isFull = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EAGAIN'
