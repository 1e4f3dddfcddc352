import type { HistorySeries } from '../../catalog/history-series'
import type { HistoryPart } from '../../ports/storage/index'
import { matchesOfSpreads, type SpreadPercentiles, spreadsByField } from '../../reads/spread-buckets'
import { type WaitPercentiles, waitPercentile } from '../../reads/wait-buckets'
import { type Instant, MINUTE_MS } from '../../shared/time'

/** Figures of a series in one slot. */
export interface HistoryPoint {
  /** Start of the slot. */
  readonly at: Instant
  /**
   * Figure of the slot: of `searching` the mean number of players, of `servers` of running servers, of `streams` of open streams, of `waits`
   * the number of matched parties, of `spread` of matches, of `cost` micro-USD, otherwise the number of events.
   */
  readonly value: number
  /** Largest sample of `searching` in the slot, of one queue; absent for other series. */
  readonly most?: number
  /** Percentiles of the waiting times in seconds; absent for other series than `waits`. They differ from the exact ones by at most a quarter. */
  readonly waitSeconds?: WaitPercentiles
  /**
   * Figures by reason (`exits`), build version (`crashes`, `servers`), build version and cause (`ends`), tier (`cost`), side (`streams`:
   * `clients` and `backend`) or error code (`refusals`); absent for other series.
   */
  readonly parts?: Readonly<Record<string, number>>
  /** Percentiles of the spreads by field; absent for other series than `spread`. They differ from the exact ones by at most two fifths. */
  readonly spreads?: Readonly<Record<string, SpreadPercentiles>>
}

/** Returns the points of a series from its stored sums, which are ordered by slot. */
export function pointsOf(series: HistorySeries, parts: readonly HistoryPart[], step: number): HistoryPoint[] {
  const bySlot = new Map<Instant, HistoryPart[]>()
  for (const part of parts) {
    const known = bySlot.get(part.slot)
    if (known === undefined) bySlot.set(part.slot, [part])
    else known.push(part)
  }
  return [...bySlot].map(([at, some]) => pointOf(series, at, some, step))
}

function pointOf(series: HistorySeries, at: Instant, parts: readonly HistoryPart[], step: number): HistoryPoint {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  switch (series) {
    case 'searching': {
      // A minute without a sample had no players who searched.
      return { at, value: meanOf(parts, step), most: Math.max(...parts.map(({ most }) => most)) }
    }
    case 'servers':
    case 'streams':
      return { at, value: meanOf(parts, step), parts: byKey(parts, (part) => meanOf([part], step)) }
    case 'spread':
      return { at, value: matchesOfSpreads(parts), spreads: spreadsByField(parts) }
    case 'waits': {
      const of = (share: number) => waitPercentile(parts, share)
      return { at, value: count, waitSeconds: { p50: of(0.5), p90: of(0.9), p99: of(0.99) } }
    }
    case 'matches':
      return { at, value: count }
    case 'cost':
      return { at, value: parts.reduce((all, { sum }) => all + sum, 0), parts: byKey(parts, ({ sum }) => sum) }
    default:
      return { at, value: count, parts: byKey(parts, (part) => part.count) }
  }
}

/** Returns the mean number of a sample. Each minute has one sample of each row. */
function meanOf(parts: readonly HistoryPart[], step: number): number {
  const all = parts.reduce((sum, part) => sum + part.sum, 0)
  return Math.round((all / (step / MINUTE_MS)) * 100) / 100
}

const byKey = (parts: readonly HistoryPart[], figure: (part: HistoryPart) => number) =>
  Object.fromEntries(parts.map((part) => [part.key, figure(part)]))
