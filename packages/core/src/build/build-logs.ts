import { MAX_BUILD_LOG_BYTES } from '../catalog/limits'
import { withinBytes } from '../shared/page'
import { type BuildLogLine, MAX_BUILD_LOG_LINES } from './build'

/** Characters kept of one line, and of the summary of a failure. */
const MAX_LINE_LENGTH = 2_000
const MAX_SUMMARY_LENGTH = 500

/** Bytes of the head and of the tail; the line between them needs the rest. */
const HALF_BYTES = (MAX_BUILD_LOG_BYTES - 256) / 2

/**
 * Returns the stored part of a processing output: its head and its tail, each half of the lines and bytes, and the number of cut lines between
 * them.
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

/** The short reason of a failure. */
export const summaryOfFailure = (message: string): string => shortened(message.trim(), MAX_SUMMARY_LENGTH)

// By code points, so that no half of a surrogate pair is left.
const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${[...text].slice(0, length - 1).join('')}…`
