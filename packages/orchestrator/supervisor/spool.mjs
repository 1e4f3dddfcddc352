// Follows one raw output file of the server.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

const LINE_BYTES = 8 * 1024
const CHUNK_BYTES = 1024 * 1024
/** The most unread bytes: beyond that, lines are dropped, so that a fast writer does not fill the disk. */
const BEHIND_BYTES = 4 * CHUNK_BYTES
const NEWLINE = 10

export class Spool {
  constructor(path, stream) {
    this.path = path
    this.stream = stream
    this.handle = openSync(path, 'r+')
    this.offset = 0
    this.rest = Buffer.alloc(0)
  }

  /** Returns the lines written since the last read, from at most CHUNK_BYTES (1 MiB). */
  read() {
    const { size, mtimeMs } = fstatSync(this.handle)
    const at = Math.min(Date.now(), Math.ceil(mtimeMs))
    if (size < this.offset) this.offset = 0 // the server truncated the file
    if (size === this.offset) return []
    const lines = size - this.offset > BEHIND_BYTES ? [this.skip(size - CHUNK_BYTES, at)] : []
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - this.offset))
    const bytes = readSync(this.handle, chunk, 0, chunk.length, this.offset)
    this.offset += bytes
    lines.push(...this.split(chunk.subarray(0, bytes), at))
    this.reclaim(lines, at)
    return lines
  }

  /** Closes the file, and returns the last line if it has no line feed. */
  finish() {
    const lines = this.rest.length === 0 ? [] : [this.line(this.rest, Date.now(), this.offset)]
    this.rest = Buffer.alloc(0)
    closeSync(this.handle)
    return lines
  }

  mark(at) {
    return { t: at, s: this.stream, p: Math.max(0, this.offset - this.rest.length) }
  }

  skip(to, at) {
    const dropped = to - this.offset + this.rest.length
    this.offset = to
    this.rest = Buffer.alloc(0)
    return { t: at, s: this.stream, m: `[${dropped} bytes of output were dropped: too much, too fast]`, p: to }
  }

  split(chunk, at) {
    const lines = []
    let bytes = Buffer.concat([this.rest, chunk])
    let position = this.offset - bytes.length
    for (;;) {
      const end = bytes.indexOf(NEWLINE)
      const whole = end >= 0 && end <= LINE_BYTES
      if (!whole && bytes.length <= LINE_BYTES) break
      const length = whole ? end : characterBoundary(bytes, LINE_BYTES)
      position += whole ? length + 1 : length
      lines.push(this.line(bytes.subarray(0, length), at, position))
      bytes = bytes.subarray(whole ? length + 1 : length)
    }
    this.rest = Buffer.from(bytes)
    return lines
  }

  line(bytes, at, position) {
    return { t: at, s: this.stream, m: bytes.toString('utf8').replace(/\r$/, ''), p: position }
  }

  /**
   * Truncates the file after all of it was read, to free disk space. The server appends, so it continues at the new
   * end. A line written between the check of the size and the truncation is lost; a pipe would not have this defect.
   */
  reclaim(lines, at) {
    if (this.offset < CHUNK_BYTES || fstatSync(this.handle).size !== this.offset) return
    ftruncateSync(this.handle, 0)
    this.offset = 0
    lines.push({ t: at, s: this.stream, p: 0 })
  }
}

/** Returns the last position at or before `at` that is not inside a UTF-8 character. */
function characterBoundary(bytes, at) {
  let end = at
  while (end > at - 4 && (bytes[end] & 0xc0) === 0x80) end--
  return end
}
