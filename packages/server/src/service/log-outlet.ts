import type { Timers } from '@matchyard/core/ports'

/** Receives the result of a write: the number of accepted bytes, or the error. */
export type Written = (error: NodeJS.ErrnoException | null, bytes: number) => void

/** Destination of log lines: a file descriptor, which accepts bytes at once or later. */
export interface LogSink {
  /**
   * Writes without blocking the event loop and without throwing. The call of `done` may come before `write` returns.
   */
  write(bytes: Buffer, done: Written): void
  /**
   * Writes at once and returns the number of accepted bytes. Throws the system's error, for example EAGAIN when the
   * reader accepts nothing.
   */
  writeNow(bytes: Buffer): number
}

/** Maximum number of bytes that wait because of a slow reader or a full disk. Further lines are dropped and counted. */
export const MAX_WAITING_BYTES = 1024 * 1024
/** Maximum number of bytes of one write: the size of a pipe. */
const MAX_WRITE_BYTES = 64 * 1024
/** Milliseconds between two tries to write to a slow reader. */
const SLOW_READER_MS = 20
/** Milliseconds between two tries to write to a full disk, or to a pipe without a reader. */
const REFUSED_MS = 1_000
/** Milliseconds between two tries to write to a slow reader while the process ends. */
const LAST_LOOK_MS = 5

/**
 * Writes log lines without waiting, without throwing, and with bounded memory. When the reader is slow or the disk is
 * full, lines are dropped.
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

  /** Number of dropped lines since the start. */
  get dropped(): number {
    return this.droppedLines
  }

  /** Adds a line. Returns false when the maximum of waiting bytes is reached, so that the line is dropped. */
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

  /** Resolves when all lines are written, at the latest after `ms` milliseconds. */
  drained(ms: number): Promise<void> {
    if (this.waitingBytes === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.drains.push(resolve)
      this.timers.after(ms, resolve)
    })
  }

  /**
   * Writes the waiting lines of a process that is ending, for at most `ms` milliseconds, as long as the reader accepts
   * them. Blocks the event loop meanwhile.
   */
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
    // The chunk is being written already, so `finish` must not write it again.
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

  /** Joins as many waiting lines as fit into one write, puts the result at the front of the queue, and returns it. */
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
