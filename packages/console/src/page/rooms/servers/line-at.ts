interface Timed {
  readonly timestamp: string
}

/**
 * Returns the last line that was written at or before a time; the first line when all are later. Undefined without a time, and without lines.
 */
export function lineAt<Line extends Timed>(lines: readonly Line[], at: string | undefined): Line | undefined {
  const until = Date.parse(at ?? '')
  if (Number.isNaN(until)) return undefined
  return lines.findLast(({ timestamp }) => Date.parse(timestamp) <= until) ?? lines[0]
}
