import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'

const WINDOW_BYTES = 64 * 1024

/**
 * Reads a file for yauzl. The author of an archive can write any offset into it. For an offset beyond the file's end,
 * this class returns an error; yauzl's own reader would throw in a callback and end the process. The rows of the
 * directory have 46 bytes or more and are adjacent, so the class reads the file in windows of 64 KiB.
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

  /**
   * Closes the file. The method `close`, which yauzl would call, does nothing here, because yauzl does not call it
   * after some of its errors.
   */
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
