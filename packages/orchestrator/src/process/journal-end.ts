import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isMachineTrouble } from '../kit/index'
import type { AttemptFiles } from './attempt-files'

/**
 * A line of an attempt's journal (the log with times that the supervisor writes). A line without `m` only records the
 * position up to which the supervisor has read the raw output file.
 */
export interface JournalLine {
  readonly t: number
  readonly s: 'o' | 'e'
  readonly m?: string
  readonly p: number
}

/** Bytes of one read: parsing so many bytes blocks the event loop for one or two milliseconds. */
export const PIECE_BYTES = 64 * 1024
const NEWLINE = 10

/**
 * Yields the lines of an attempt's journal from the last line to the first; reads only as far as the caller asks, and
 * at most `maxBytes` of each of the journal's two files.
 */
export async function* journalBackwards(attempt: AttemptFiles, maxBytes: number): AsyncGenerator<JournalLine> {
  // Both files of the journal are opened before one of them is read, the newer file first. So a file that is renamed
  // meanwhile is read once, and no lines are lost.
  const newer = await openFile(attempt.path('journal.log'))
  try {
    const older = await openFile(attempt.path('journal.1.log'))
    try {
      yield* linesBackwards(newer, maxBytes)
      if (older?.file !== newer?.file) yield* linesBackwards(older, maxBytes)
    } finally {
      await older?.handle.close()
    }
  } finally {
    await newer?.handle.close()
  }
}

interface OpenFile {
  readonly handle: FileHandle
  readonly size: number
  /** Device and inode of the file, which do not change when the file is renamed. */
  readonly file: string
}

/** Returns the opened file; undefined when the path is missing or is not a regular file. */
async function openFile(path: string): Promise<OpenFile | undefined> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await handle.stat()
    if (found.isFile()) return { handle, size: found.size, file: `${found.dev} ${found.ino}` }
  } catch (error) {
    if (isMachineTrouble(error)) throw error
  }
  await handle?.close()
  return undefined
}

async function* linesBackwards(found: OpenFile | undefined, maxBytes: number): AsyncGenerator<JournalLine> {
  if (found === undefined) return
  for await (const rows of rowsBackwards(found.handle, Math.max(0, found.size - maxBytes), found.size)) {
    for (const row of rows) {
      const line = parsed(row)
      if (line !== undefined) yield line
    }
  }
}

/**
 * Yields the rows in a range of a file, the last row first. The file is read in pieces, and a row is yielded when all
 * its pieces are read.
 */
async function* rowsBackwards(handle: FileHandle, from: number, to: number): AsyncGenerator<string[]> {
  /** Pieces of a row that were read, the last piece first. The beginning of the row is not read yet. */
  let rest: Buffer[] = []
  for (let end = to; end > from; end -= PIECE_BYTES) {
    const start = Math.max(from, end - PIECE_BYTES)
    const piece = await pieceOf(handle, start, end)
    if (piece === undefined) return
    const first = piece.indexOf(NEWLINE)
    rest.push(first < 0 ? piece : piece.subarray(piece.lastIndexOf(NEWLINE) + 1))
    if (first < 0) continue
    const rows = [Buffer.concat(rest.reverse()).toString('utf8')]
    const whole = piece.subarray(first + 1, Math.max(first + 1, piece.lastIndexOf(NEWLINE)))
    rows.push(...whole.toString('utf8').split('\n').reverse())
    rest = [piece.subarray(0, first)]
    yield rows
  }
  yield [Buffer.concat(rest.reverse()).toString('utf8')]
}

async function pieceOf(handle: FileHandle, start: number, end: number): Promise<Buffer | undefined> {
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    if (isMachineTrouble(error)) throw error
    return undefined
  }
}

/**
 * Returns the journal line in a row of the file; undefined for a row that is still being written, was cut by a full
 * disk, or is damaged.
 */
function parsed(row: string): JournalLine | undefined {
  try {
    const line: unknown = row === '' ? undefined : JSON.parse(row)
    return isJournalLine(line) ? line : undefined
  } catch {
    return undefined
  }
}

function isJournalLine(value: unknown): value is JournalLine {
  if (typeof value !== 'object' || value === null) return false
  const { t, s, m, p } = value as Partial<Record<keyof JournalLine, unknown>>
  const isText = m === undefined || typeof m === 'string'
  return Number.isSafeInteger(t) && Number.isSafeInteger(p) && (s === 'o' || s === 'e') && isText
}
