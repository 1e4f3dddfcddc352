import type { History } from '@matchyard/client/admin'

/** Name of a series of the history. */
export type SeriesName = History['series'][number]['name']
/** Point of a series. */
export type HistoryPoint = History['series'][number]['points'][number]

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Ranges of time that charts offer. */
export const RANGES = [
  { id: '1h', label: '1 h', ms: HOUR },
  { id: '6h', label: '6 h', ms: 6 * HOUR },
  { id: '24h', label: '24 h', ms: DAY },
  { id: '7d', label: '7 d', ms: 7 * DAY },
  { id: '30d', label: '30 d', ms: 30 * DAY },
  { id: '90d', label: '90 d', ms: 90 * DAY },
] as const

export type RangeId = (typeof RANGES)[number]['id']

/** Time that charts show: a range, and its fixed end in milliseconds since 1970; without an end the range ends now. */
export interface ChartTime {
  readonly range: (typeof RANGES)[number]
  readonly until: number | undefined
}

/** Returns the time of the charts from the address; the default is the last `fallback`. */
export function chartTimeOf(query: URLSearchParams, fallback: RangeId = '6h'): ChartTime {
  const asked = query.get('range')
  const range = RANGES.find(({ id }) => id === asked) ?? RANGES.find(({ id }) => id === fallback) ?? RANGES[0]
  const until = Date.parse(query.get('until') ?? '')
  return { range, until: Number.isNaN(until) ? undefined : until }
}

/** Milliseconds of each step. */
export const STEP_MS: Readonly<Record<History['step'], number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '1h': HOUR,
  '1d': DAY,
}

/** Length of a step in words. */
export const STEP_WORDS: Readonly<Record<History['step'], string>> = {
  '1m': 'minute',
  '5m': '5 minutes',
  '1h': 'hour',
  '1d': 'day',
}

/** Maximum number of slots that a chart draws. The service answers with at most 2,000 points of a series. */
export const MOST_SLOTS = 2_000
/** Milliseconds after which the service has added the minutes to the longer slots. */
const ROLLED_UP_MS = 180_000

/**
 * Returns the starts of all slots of an answer, in milliseconds since 1970. A slot that is still being counted would
 * look like a fall, so it is left out; the slot of a day stays.
 */
export function slotsOf({ from, to, step }: Pick<History, 'from' | 'to' | 'step'>, now: number): number[] {
  const length = STEP_MS[step]
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const settled = step === '1d' ? Number.POSITIVE_INFINITY : now - (step === '1m' ? 0 : ROLLED_UP_MS)
  const slots: number[] = []
  for (let at = first; at < last && slots.length < MOST_SLOTS; at += length) if (at + length <= settled) slots.push(at)
  return slots
}

/** Returns the figure of each slot; `none` for slots without a point, in which nothing was counted. */
export function filled<T>(
  slots: readonly number[],
  points: readonly HistoryPoint[],
  figure: (point: HistoryPoint) => T,
  none: T,
): T[] {
  const known = new Map(points.map((point) => [Date.parse(point.at), point]))
  return slots.map((at) => {
    const point = known.get(at)
    return point === undefined ? none : figure(point)
  })
}

/** Returns the names of the parts of a series, such as the reasons of exits, with their sums, largest first. */
export function partsOf(points: readonly HistoryPoint[]): readonly (readonly [name: string, sum: number])[] {
  const sums = new Map<string, number>()
  for (const { parts = {} } of points) {
    for (const [name, value] of Object.entries(parts)) sums.set(name, (sums.get(name) ?? 0) + value)
  }
  return [...sums].sort(([a, one], [b, other]) => other - one || a.localeCompare(b))
}
