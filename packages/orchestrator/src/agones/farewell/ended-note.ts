import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { ServerLogLine } from '@matchyard/core/ports'

/**
 * Note about an instance, stored in the cluster after the instance's ended game servers were removed: the attempts that
 * were launched, and the last lines of their logs.
 */
export interface EndedNote {
  readonly attempts: readonly number[]
  /**
   * Attempts whose log lines are in the note. The game server of such an attempt may still be in the cluster. Absent in
   * notes of earlier releases; then the note has the lines of all `attempts`.
   */
  readonly heard?: readonly number[]
  readonly lines: readonly ServerLogLine[]
}

/** Whether the note contains the log lines of an attempt. */
export const isHeard = ({ attempts, heard = attempts }: EndedNote, attempt: number): boolean => heard.includes(attempt)

/**
 * Returns the note with the log lines of one more attempt. Returns the same note when there are no lines to add, or
 * when the note already contains lines of this attempt.
 */
export const withLines = (note: EndedNote, attempt: number, lines: readonly ServerLogLine[]): EndedNote => {
  if (lines.length === 0 || isHeard(note, attempt)) return note
  return { ...note, heard: [...(note.heard ?? note.attempts), attempt], lines: [...note.lines, ...lines] }
}

const NO_NOTE: EndedNote = { attempts: [], heard: [], lines: [] }
/** Maximum number of log lines in a note. The newest lines are kept; there are fewer when the lines are long. */
export const NOTED_LINES = 1_000
/** Estimated bytes of a log line in a note, without its message. */
const LINE_BYTES = 60
/**
 * Factor of the size limit: lines beyond this multiple of the limit are cut before the first compression, because
 * compression takes time. Logs shrink to a tenth or less.
 */
const PACKED_TO = 16
/**
 * Share of the estimated size that fits: after a compression that exceeds the limit, the lines are cut to this share,
 * because lines do not all compress equally well.
 */
const SAFELY = 0.8

const zipped = (text: string): Promise<Buffer> => promisify(gzip)(text)
const unzipped = (bytes: Buffer): Promise<Buffer> => promisify(gunzip)(bytes)

/** Returns the compressed note, with as many of the newest lines as fit into `mostBytes`. */
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

/** Returns the last lines that together take at most `bytes`. */
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
