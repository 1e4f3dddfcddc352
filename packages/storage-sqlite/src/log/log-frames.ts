import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * Header of a write-ahead log. SQLite's format (https://www.sqlite.org/fileformat2.html#the_write_ahead_log) defines a
 * log as a header and frames of one page each. The checksum of a frame continues the checksum of the frame before it,
 * and the salts of a frame are those of the header. A new log overwrites the file of an earlier log; remaining frames
 * of the earlier log have other salts.
 */
export interface LogHeader {
  readonly isValid: boolean
  readonly pageSize: number
  /** Both salts of the header, in hexadecimal digits. */
  readonly salts: string
}

export interface LogFrame {
  /** Number of the frame in the log; the first frame has the number 1. */
  readonly number: number
  readonly salts: string
  /** Whether the frame is the last of a transaction. */
  readonly isCommit: boolean
  /**
   * Whether the frame's checksum continues the checksum of the frame before, either as it is stored or as it was
   * computed.
   */
  readonly isChained: boolean
}

const HEADER = 32
const FRAME_HEADER = 24
/** The lowest bit of the magic number is the byte order of the checksums. */
const MAGIC = 0x377f0682
const PAGE_SIZE = { least: 512, most: 65_536, usual: 4_096 }
/** Number of frames that are read at once. */
const FRAMES_AT_ONCE = 256

/** A checksum of the log: two sums of 32 bits each. */
type Sums = readonly [number, number]

const saltsOf = (bytes: Buffer, at: number) => bytes.toString('hex', at, at + 8)
const sumsAt = (bytes: Buffer, at: number): Sums => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
const isSame = (a: Sums, b: Sums) => a[0] === b[0] && a[1] === b[1]

function summed(bytes: Buffer, from: number, to: number, isBig: boolean, [first, second]: Sums): Sums {
  let [a, b] = [first, second]
  for (let at = from; at < to; at += 8) {
    const x = isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)
    const y = isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)
    a = (a + x + b) >>> 0
    b = (b + y + a) >>> 0
  }
  return [a, b]
}

/** Reads a log from start to end. Returns undefined for a missing log or an incomplete header (less than 32 bytes). */
export function readLog<T>(
  path: string,
  read: (header: LogHeader, frames: Generator<LogFrame, void>) => T,
): T | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.alloc(HEADER)
    if (readSync(file, bytes, 0, HEADER, 0) < HEADER) return undefined
    const header = headerOf(bytes)
    return read(header, framesOf(file, header, bytes))
  } finally {
    closeSync(file)
  }
}

function headerOf(bytes: Buffer): LogHeader {
  const magic = bytes.readUInt32BE(0)
  const size = bytes.readUInt32BE(8)
  const { least, most, usual } = PAGE_SIZE
  const isSize = size >= least && size <= most && (size & (size - 1)) === 0
  const sums = summed(bytes, 0, HEADER - 8, (magic & 1) === 1, [0, 0])
  const isMagic = (magic & ~1) >>> 0 === MAGIC
  return {
    isValid: isMagic && isSize && isSame(sums, sumsAt(bytes, HEADER - 8)),
    pageSize: isSize ? size : usual,
    salts: saltsOf(bytes, 16),
  }
}

function* framesOf(file: number, { pageSize }: LogHeader, header: Buffer): Generator<LogFrame, void> {
  const length = FRAME_HEADER + pageSize
  const count = Math.floor((fstatSync(file).size - HEADER) / length)
  const isBig = (header.readUInt32BE(0) & 1) === 1
  let stored: Sums = sumsAt(header, HEADER - 8)
  let computed: Sums = summed(header, 0, HEADER - 8, isBig, [0, 0])
  const piece = Buffer.alloc(FRAMES_AT_ONCE * length)
  for (let done = 0; done < count; done += FRAMES_AT_ONCE) {
    const bytes = readSync(file, piece, 0, piece.length, HEADER + done * length)
    for (let at = 0; at + length <= bytes; at += length) {
      const own = sumsAt(piece, at + 16)
      const sums = (before: Sums) => {
        const begun = summed(piece, at, at + 8, isBig, before)
        return summed(piece, at + FRAME_HEADER, at + length, isBig, begun)
      }
      let next = sums(stored)
      // The stored checksum of the frame before may be damaged, so the computed checksum is tried as well.
      if (!isSame(next, own) && !isSame(stored, computed)) {
        const other = sums(computed)
        if (isSame(other, own)) next = other
      }
      yield {
        number: done + at / length + 1,
        salts: saltsOf(piece, at + 8),
        isCommit: piece.readUInt32BE(at + 4) !== 0,
        isChained: isSame(next, own),
      }
      ;[stored, computed] = [own, next]
    }
  }
}
