import type { History } from '@matchyard/client/admin'
import { filled, type HistoryPoint, partsOf, type SeriesName, STEP_MS, STEP_WORDS, slotsOf } from '../data/slots'
import { outcomeOf } from './outcome'
import type { Series } from './series'

/** Drawn figures of one series. */
export interface HistoryLines {
  /** Starts of the slots, in seconds since 1970. */
  readonly x: readonly number[]
  readonly lines: readonly Series[]
  /** Whether nothing was counted in this time. */
  readonly isEmpty: boolean
  /** Unit of the values, as text behind each value. */
  readonly unit: string
}

/** Maximum number of parts of a series with their own lines; the line `other` has the sum of all other parts. */
export const MOST_PARTS = 5
/** Micro-USD of a dollar. */
export const MICRO = 1_000_000
const TONES = ['accent', 'info', 'wait', 'good', 'bad', 'still'] as const

export interface LineOptions {
  /** Present time in milliseconds since 1970. */
  readonly now: number
  /** Selects the parts that are drawn, by their name; all by default. */
  readonly hasPart?: ((name: string) => boolean) | undefined
  /** Field whose spreads are drawn; only for `spread`. */
  readonly field?: string | undefined
}

/** Returns the fields of the spreads of a history, in the order of their names. */
export const spreadFields = (history: History): readonly string[] =>
  [...new Set(pointsOf(history, 'spread').flatMap(({ spreads = {} }) => Object.keys(spreads)))].sort()

const pointsOf = (history: History, name: SeriesName) => history.series.find((one) => one.name === name)?.points ?? []

/** Returns the lines of one series of the history. */
export function historyLines(
  history: History,
  name: SeriesName,
  { now, hasPart, field = '' }: LineOptions,
): HistoryLines {
  const points = pointsOf(history, name)
  const slots = slotsOf(history, now)
  const x = slots.map((at) => at / 1_000)
  const counts = () => filled(slots, points, ({ value }) => value, 0)
  const each = STEP_WORDS[history.step]
  switch (name) {
    case 'searching': {
      const mean: Series = { label: 'Players searching', values: counts() }
      const most = filled(slots, points, (point) => point.most ?? null, 0)
      const lines = history.queue_id === null ? [mean] : [mean, { label: 'Peak', values: most, tone: 'still' } as const]
      return { x, lines, isEmpty: points.length === 0, unit: '' }
    }
    case 'waits': {
      const wait = (which: 'p50' | 'p90' | 'p99') =>
        filled<number | null>(slots, points, ({ wait_seconds }) => wait_seconds?.[which] ?? null, null)
      return { x, lines: percentileLines(wait), isEmpty: points.length === 0, unit: ' s' }
    }
    case 'spread': {
      const spread = (which: 'p50' | 'p90' | 'p99') =>
        filled<number | null>(slots, points, ({ spreads }) => spreads?.[field]?.[which] ?? null, null)
      return { x, lines: percentileLines(spread), isEmpty: !points.some(({ spreads }) => spreads?.[field]), unit: '' }
    }
    case 'matches':
      return {
        x,
        lines: [{ label: `Matches per ${each}`, values: counts(), bars: true }],
        isEmpty: points.length === 0,
        unit: '',
      }
    case 'cost': {
      const [per, unitMs] = history.step === '1d' ? ['day', STEP_MS['1d']] : ['hour', STEP_MS['1h']]
      const rate = ({ value }: HistoryPoint) => (value / MICRO) * (unitMs / STEP_MS[history.step])
      const lines: readonly Series[] = [
        { label: `Dollars per ${per}`, values: filled(slots, points, rate, 0), bars: true },
      ]
      return { x, lines, isEmpty: points.length === 0, unit: '' }
    }
    case 'exits':
    case 'crashes':
    case 'ends':
    case 'servers':
    case 'streams':
    case 'refusals': {
      const all = partsOf(points).filter(([part]) => hasPart === undefined || hasPart(part))
      const label = (part: string) => (name === 'exits' ? outcomeOf(part)[1] : name === 'streams' ? sideOf(part) : part)
      const of = (some: readonly string[]) =>
        filled(slots, points, ({ parts = {} }) => some.reduce((sum, part) => sum + (parts[part] ?? 0), 0), 0)
      const own = all.length <= MOST_PARTS + 1 ? all : all.slice(0, MOST_PARTS)
      const rest = all.slice(own.length).map(([part]) => part)
      const lines = own.map(
        ([part], place): Series => ({ label: label(part), values: of([part]), tone: TONES[place] ?? 'still' }),
      )
      if (rest.length > 0) lines.push({ label: `${rest.length} others`, values: of(rest), tone: 'still', dashed: true })
      return { x, lines, isEmpty: all.length === 0, unit: '' }
    }
  }
}

const percentileLines = (of: (which: 'p50' | 'p90' | 'p99') => Series['values']): readonly Series[] => [
  { label: 'Median', values: of('p50') },
  { label: 'p90', values: of('p90'), tone: 'wait' },
  { label: 'p99', values: of('p99'), tone: 'still' },
]

/** Returns the label of a side that holds event streams. */
const sideOf = (part: string): string => (part === 'backend' ? 'Backend and game servers' : 'Players')
