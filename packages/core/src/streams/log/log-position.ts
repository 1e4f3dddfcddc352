import type { ServerLogLine } from '../../server/log-line'
import type { Instant } from '../../shared/time'

/** Place in a log up to which a reader has its lines: a time, and the number of lines with this time that the reader has. */
export interface LogPosition {
  readonly at: Instant
  readonly seen: number
}

/** More lines than one read returns. */
const ALL_SEEN = 999_999

/** Event id of the last message of a stream, after which no lines follow. */
export const LOG_END = 'end'

export const textOfPosition = ({ at, seen }: LogPosition): string => `${at}-${seen}`

/** Returns the position in an event id; undefined for text that is no position, so that the stream starts as one without an id. */
export function positionIn(eventId: string | undefined): LogPosition | undefined {
  const [, at, seen] = /^(\d{1,15})-(\d{1,6})$/.exec(eventId ?? '') ?? []
  return at === undefined || seen === undefined ? undefined : { at: Number(at), seen: Number(seen) }
}

/** Returns the lines that a reader at a position does not have yet. `lines` are the lines from the time of the position. */
export function linesAfter(
  position: LogPosition | undefined,
  lines: readonly ServerLogLine[],
): readonly ServerLogLine[] {
  let left = position?.seen ?? 0
  return lines.filter(({ at }) => at !== position?.at || left-- <= 0)
}

/**
 * Returns the position after these lines; undefined without lines. `isWhole` says that all lines from the time of the position before were
 * read. Otherwise it may be unknown how many lines have the last time. All of them then count as seen, so that no line is sent twice.
 */
export function positionAfter(lines: readonly ServerLogLine[], isWhole: boolean): LogPosition | undefined {
  const at = lines.at(-1)?.at
  if (at === undefined) return undefined
  const isCounted = isWhole || lines[0]?.at !== at
  return { at, seen: isCounted ? lines.filter((line) => line.at === at).length : ALL_SEEN }
}
