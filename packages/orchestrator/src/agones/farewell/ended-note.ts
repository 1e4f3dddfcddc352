import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { ServerLogLine } from '@matchyard/core/ports'

/**
 * Note about an instance whose ended game servers were removed from the cluster: the attempts that were launched, and
 * the last lines of their logs.
 */
export interface EndedNote {
  readonly attempts: readonly number[]
  /**
   * Attempts whose log lines are in the note. The game server of such an attempt may still be in the cluster. Absent in
   * notes of earlier releases: the lines of all `attempts` are in the note.
   */
  readonly heard?: readonly number[]
  readonly lines: readonly ServerLogLine[]
}

/** Whether the note holds the lines of an attempt. */
export const isHeard = ({ attempts, heard = attempts }: EndedNote, attempt: number): boolean => heard.includes(attempt)

/**
 * Returns the note with the lines of one more attempt. Returns the same note when there are no lines to add, or when
 * the note has lines of this attempt already.
 */
export const withLines = (note: EndedNote, attempt: number, lines: readonly ServerLogLine[]): EndedNote => {
  if (lines.length === 0 || isHeard(note, attempt)) return note
  return { ...note, heard: [...(note.heard ?? note.attempts), attempt], lines: [...note.lines, ...lines] }
}

const NO_NOTE: EndedNote = { attempts: [], heard: [], lines: [] }
/** Maximum number of lines in a note: the newest ones; fewer when the lines are long. */
export const NOTED_LINES = 1_000
/** Estimated bytes of a line in a note, without its message. */
const LINE_BYTES = 60
/**
 * Lines beyond this multiple of the limit are cut before the first compression, because compression takes time. Logs
 * shrink to a tenth or less.
 */
const PACKED_TO = 16
/**
 * After a compression that exceeds the limit, the lines are cut to this share of the estimated size that fits: lines do
 * not all compress equally well.
 */
const SAFELY = 0.8

const zipped = (text: string): Promise<Buffer> => promisify(gzip)(text)
const unzipped = (bytes: Buffer): Promise<Buffer> => promisify(gunzip)(bytes)

/** Returns the compressed note, with the newest lines that fit in `mostBytes`. */
export async function packed({ lines, ...note }: EndedNote, mostBytes: number): Promise<Buffer> {
  let kept = newest(lines.slice(-NOTED_LINES), PACKED_TO * mostBytes)
  for (;;) {
    const bytes = await zipped(JSON.stringify({ ...note, lines: kept }))
    if (bytes.length <= mostBytes || kept.length === 0) return bytes
    kept = newest(kept, (bytesOf(kept) * SAFELY * mostBytes) / bytes.length)
  }
}

export async function unpacked(bytes: Buffer): Promise<EndedNote> {
  try {
    return bytes.length === 0 ? NO_NOTE : (JSON.parse((await unzipped(bytes)).toString()) as EndedNote)
  } catch {
    return NO_NOTE // somebody has changed the note by hand
  }
}

/** Returns the last lines that take at most `bytes` together. */
function newest(lines: readonly ServerLogLine[], bytes: number): readonly ServerLogLine[] {
  let from = lines.length
  for (let left = bytes; from > 0; from--) {
    left -= bytesOf(lines.slice(from - 1, from))
    if (left < 0) break
  }
  return lines.slice(from)
}

const bytesOf = (lines: readonly ServerLogLine[]): number =>
  lines.reduce((sum, { message }) => sum + LINE_BYTES + Buffer.byteLength(message), 0)
