import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'

const WINDOW_BYTES = 64 * 1024

/**
 * Reads a file for yauzl. An offset in an archive is whatever its author wrote: one beyond the file is answered with
 * an error, where the reader that yauzl brings would throw out of a callback and take the process down.
 * Rows of the directory are 46 bytes and neighbours, so reads go through a window.
 */
export class ArchiveReader extends RandomAccessReader {
  private window = Buffer.alloc(0)
  private windowStart = 0

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    readonly size: number,
  ) {
    super()
  }

  static async open(file: string): Promise<ArchiveReader> {
    const handle = await open(file, 'r')
    return new ArchiveReader(file, handle, (await handle.stat()).size)
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!Number.isSafeInteger(position) || position < 0 || position + length > this.size) {
      setImmediate(callback, new Error(`an offset lies outside the file (${position})`))
      return
    }
    this.bytes(position, length).then(
      (bytes) => callback(null, bytes.copy(target, offset)),
      (error: Error) => callback(error),
    )
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.file, { start, end: end - 1 })
  }

  /** yauzl's own `close` is left without effect: on some of its errors it is never called. */
  async release(): Promise<void> {
    await this.handle.close()
  }

  private async bytes(position: number, length: number): Promise<Buffer> {
    const within = position >= this.windowStart && position + length <= this.windowStart + this.window.length
    if (!within) {
      const window = Buffer.alloc(Math.min(Math.max(length, WINDOW_BYTES), this.size - position))
      const { bytesRead } = await this.handle.read(window, 0, window.length, position)
      this.window = window.subarray(0, bytesRead)
      this.windowStart = position
    }
    const start = position - this.windowStart
    return this.window.subarray(start, start + length)
  }
}
