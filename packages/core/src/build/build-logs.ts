import { type BuildLogLine, MAX_BUILD_LOG_LINES } from './build'

/** Characters kept of one line, and of the summary of a failure. */
const MAX_LINE_LENGTH = 2_000
const MAX_SUMMARY_LENGTH = 500

/** What is kept of a processing output: its head and its tail, and how much was cut between them. */
export function keptLogs(lines: readonly BuildLogLine[]): readonly BuildLogLine[] {
  const whole = lines.map((line) => ({ ...line, message: shortened(line.message, MAX_LINE_LENGTH) }))
  if (whole.length <= MAX_BUILD_LOG_LINES) return whole
  const head = Math.floor((MAX_BUILD_LOG_LINES - 1) / 2)
  const tail = MAX_BUILD_LOG_LINES - 1 - head
  const cutAt = whole[head]?.at ?? 0
  const cut = { at: cutAt, level: 'warn', message: `… ${whole.length - head - tail} lines cut …` } as const
  return [...whole.slice(0, head), cut, ...whole.slice(-tail)]
}

/** The short reason of a failure. */
export const summaryOfFailure = (message: string): string => shortened(message.trim(), MAX_SUMMARY_LENGTH)

// By code points, so that no half of a surrogate pair is left.
const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${[...text].slice(0, length - 1).join('')}…`
