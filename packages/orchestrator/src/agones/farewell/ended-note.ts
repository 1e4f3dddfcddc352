import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { ServerLogLine } from '@matchyard/core/ports'

/** What stays of an instance whose game servers were put away: that they were launched, and their last words. */
export interface EndedNote {
  readonly attempts: readonly number[]
  /** Those whose lines are here, which may not be put away yet; left out by notes of earlier releases: all that were. */
  readonly heard?: readonly number[]
  readonly lines: readonly ServerLogLine[]
}

/** Whether the lines of an attempt are in it. */
export const isHeard = ({ attempts, heard = attempts }: EndedNote, attempt: number): boolean => heard.includes(attempt)

/** With the lines of one more attempt. */
export const withLines = (note: EndedNote, attempt: number, lines: readonly ServerLogLine[]): EndedNote => {
  if (lines.length === 0 || isHeard(note, attempt)) return note
  return { ...note, heard: [...(note.heard ?? note.attempts), attempt], lines: [...note.lines, ...lines] }
}

const NO_NOTE: EndedNote = { attempts: [], heard: [], lines: [] }
/** Of one instance, the newest; fewer where they are long. */
export const NOTED_LINES = 1_000
/** Of a line, beside its words. */
const LINE_BYTES = 60
/** Logs are packed to a tenth or less. What is more than so many times too large is not tried: packing takes time. */
const PACKED_TO = 16
/** Where they do not fit, as many are packed again as would fit if all were alike, and some fewer. */
const SAFELY = 0.8

const zipped = (text: string): Promise<Buffer> => promisify(gzip)(text)
const unzipped = (bytes: Buffer): Promise<Buffer> => promisify(gunzip)(bytes)

/** With the newest lines that fit. */
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
    return NO_NOTE // somebody has edited it
  }
}

/** The last lines that are so many bytes together. */
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
