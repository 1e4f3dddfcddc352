import { MAX_BUILD_LOG_BYTES } from '../catalog/limits'
import { withinBytes } from '../shared/page'
import { type BuildLogLine, MAX_BUILD_LOG_LINES } from './build'

/** Maximum characters of one stored line; a longer line is cut. */
const MAX_LINE_LENGTH = 2_000
const MAX_SUMMARY_LENGTH = 500

/** Maximum bytes of the first lines, and of the last lines. The line that counts the lines left out takes the remaining bytes. */
const HALF_BYTES = (MAX_BUILD_LOG_BYTES - 256) / 2

/**
 * Returns the part of a processing log that is stored: the first lines and the last lines. Between them stands one line with the number of
 * lines left out. The first and the last lines each take half of the maximum lines and bytes.
 */
export function keptLogs(lines: readonly BuildLogLine[]): readonly BuildLogLine[] {
  const whole = lines.map((line) => ({ ...line, message: shortened(line.message, MAX_LINE_LENGTH) }))
  const isShort = whole.length <= MAX_BUILD_LOG_LINES
  if (isShort && withinBytes(whole, MAX_BUILD_LOG_BYTES).length === whole.length) return whole
  const half = Math.floor((MAX_BUILD_LOG_LINES - 1) / 2)
  const head = withinBytes(whole.slice(0, half), HALF_BYTES)
  const rest = whole.slice(head.length).reverse()
  const tail = withinBytes(rest.slice(0, MAX_BUILD_LOG_LINES - 1 - half), HALF_BYTES).toReversed()
  const cutAt = whole[head.length]?.at ?? 0
  const count = whole.length - head.length - tail.length
  return [...head, { at: cutAt, level: 'warn', message: `… ${count} lines cut …` }, ...tail]
}

/** Returns the short reason of a failure, at most 500 characters. */
export const summaryOfFailure = (message: string): string => shortened(message.trim(), MAX_SUMMARY_LENGTH)

// The text is cut between code points, so that no surrogate pair is split.
const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${[...text].slice(0, length - 1).join('')}…`
