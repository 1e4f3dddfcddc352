import { isWellFormed } from '../shared/json'
import type { Instant } from '../shared/time'
import { newestLines, type ServerLogLine } from './log-line'

/** Crash of a game server's process, with the last lines that the server wrote. */
export interface ServerCrash {
  /** Time of the crash. */
  readonly at: Instant
  /** Exit code; null when a signal ended the process, and when the code is unknown. */
  readonly exitCode: number | null
  /** Signal that ended the process, for instance `SIGSEGV`; null when no signal ended it. */
  readonly exitSignal: string | null
  /** Last log lines before the crash, oldest first. */
  readonly lines: readonly ServerLogLine[]
}

/** Maximum number of log lines in the report of a crash. */
export const MAX_CRASH_LINES = 20
/** Maximum characters of one log line in the report of a crash; a longer line is cut. */
const MAX_CRASH_LINE_LENGTH = 1_000
/** Maximum bytes of all log lines in the report of a crash, as JSON. */
const MAX_CRASH_BYTES = 8 * 1_024

/**
 * Returns the log lines that the report of a crash contains: the newest lines, at most 20, that fit into 8 KiB. A line is cut after 1,000
 * characters, and characters that a database cannot store are replaced.
 */
export function crashLines(lines: readonly ServerLogLine[]): readonly ServerLogLine[] {
  const newest = lines.slice(-MAX_CRASH_LINES).map((line) => ({ ...line, message: storable(line.message) }))
  return newestLines(newest, MAX_CRASH_BYTES)
}

function storable(message: string): string {
  const points = [...message.slice(0, 2 * MAX_CRASH_LINE_LENGTH)]
  const cut = points.length > MAX_CRASH_LINE_LENGTH
  const kept = cut ? [...points.slice(0, MAX_CRASH_LINE_LENGTH - 1), '…'] : points
  return kept.map((point) => (point === '\0' || !isWellFormed(point) ? '\ufffd' : point)).join('')
}
