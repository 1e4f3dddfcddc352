import { HISTORY_STEPS, type HistorySeries, type HistoryStep } from '../../catalog/history-series'
import { DAY_MS, type Instant, MINUTE_MS } from '../../shared/time'

/** Names of the steps, shortest first. */
export const HISTORY_STEP_NAMES = Object.keys(HISTORY_STEPS) as readonly HistoryStep[]

/** Milliseconds for which the rows of each step are kept. `prune` removes rows whose slot began earlier. */
export const HISTORY_KEPT_MS: Readonly<Record<HistoryStep, number>> = {
  '1m': 2 * DAY_MS,
  '5m': 14 * DAY_MS,
  '1h': 90 * DAY_MS,
  '1d': 730 * DAY_MS,
}

/**
 * Queue of the rows with the sums over all queues of a project, and over its amounts without a queue. The roll-up writes these rows in the
 * steps longer than a minute, so that the cost of a chart of a project does not grow with its queues. No queue has this id.
 */
export const WHOLE_PROJECT = '*'

/** Amounts of a row of the history. Rows with the same key add up: `count` and `sum` are added, and the largest `most` stays. */
export interface HistoryAmount {
  /** Number of counted events; of `searching`, `servers` and `streams` the number of samples, of `cost` the number of seconds. */
  readonly count: number
  /** Sum of the values: of `waits` milliseconds, of samples what they counted, of `cost` micro-USD; otherwise 0. */
  readonly sum: number
  /** Largest value: of `waits` milliseconds, of samples what they counted; otherwise 0. */
  readonly most: number
}

/** Row of the history without its step and slot. */
export interface HistoryValue extends HistoryAmount {
  readonly projectId: string
  /** Queue of the project; empty for amounts without a queue; `WHOLE_PROJECT` for the sums of the longer steps over all queues. */
  readonly queueId: string
  readonly series: HistorySeries
  /**
   * Part of the series: a bucket, a bucket and a field, a reason, a build version, a build version and a cause, a tier, a code; empty for
   * series without parts.
   */
  readonly key: string
}

/** Row of the history. Its key is (step, slot, project, series, queue, key). */
export interface HistoryCell extends HistoryValue {
  /** Length of the slot in milliseconds, one of HISTORY_STEPS. */
  readonly step: number
  /** Start of the slot: a multiple of `step`. */
  readonly slot: Instant
}

/** Position in the rows of one step. Rows are ordered by slot, then project, series, queue and key, each by code units. */
export type HistoryPlace = Pick<HistoryCell, 'slot' | 'projectId' | 'series' | 'queueId' | 'key'>

/** Rows of one series of a project. */
export interface HistoryQuery {
  readonly projectId: string
  /** Absent: the sums over all rows, whatever their queue. */
  readonly queueId?: string
  readonly series: HistorySeries
  readonly step: number
  /** Slots that begin at or after `from` and before `to`; both are multiples of `step`. At most HISTORY_SLOTS_READ slots. */
  readonly from: Instant
  readonly to: Instant
  readonly limit: number
}

/** Maximum number of slots in one call of `history.read`. */
export const HISTORY_SLOTS_READ = 2_000

/** Amounts of one slot and one key, summed over the queues that the query selects. */
export interface HistoryPart extends HistoryAmount {
  readonly slot: Instant
  readonly key: string
}

export interface HistoryReaders {
  /**
   * Returns the sums of a series, ordered by slot and key; at most `limit` of them, from the oldest on. Slots without rows are left out. The
   * cost grows with the number of asked slots and of their rows of the series, not with the length of the history.
   */
  read(query: HistoryQuery): Promise<HistoryPart[]>
  /**
   * Returns the rows of one step after a place, of slots that begin before `before`, in their order: at most `limit` rows, of all projects.
   * The cost grows with the size of the answer.
   */
  rows(step: number, after: HistoryPlace, before: Instant, limit: number): Promise<HistoryCell[]>
}

/** Returns the place before all rows of a slot. */
export const historyPlaceAt = (slot: Instant): HistoryPlace => ({
  slot,
  projectId: '',
  series: '' as HistorySeries,
  queueId: '',
  key: '',
})

/** Returns the sum of two amounts. */
export const addHistory = <T extends HistoryAmount>(sum: HistoryAmount | undefined, more: T): T =>
  sum === undefined
    ? more
    : { ...more, count: sum.count + more.count, sum: sum.sum + more.sum, most: Math.max(sum.most, more.most) }

/** Returns the key of a row as a text. Rows with equal keys are added up. */
export const historyKey = ({ step, slot, projectId, series, queueId, key }: HistoryCell): string =>
  JSON.stringify([step, slot, projectId, series, queueId, key])

/** Adds up rows with equal keys. Returns them ordered by step, then as `HistoryPlace` says. */
export function addedHistory(cells: readonly HistoryCell[]): HistoryCell[] {
  const sums = new Map<string, HistoryCell>()
  for (const cell of cells) {
    const key = historyKey(cell)
    sums.set(key, addHistory(sums.get(key), cell))
  }
  return [...sums.values()].sort((a, b) => a.step - b.step || byPlace(a, b))
}

/** Compares two places of rows of one step. */
export const byPlace = (a: HistoryPlace, b: HistoryPlace): number =>
  a.slot - b.slot ||
  byText(a.projectId, b.projectId) ||
  byText(a.series, b.series) ||
  byText(a.queueId, b.queueId) ||
  byText(a.key, b.key)

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the start of the slot that contains an instant. */
export const historySlot = (at: Instant, step: number): Instant => Math.floor(at / step) * step

/** Returns the row of the minute to which a commit adds a value. */
export const minuteCell = (at: Instant, value: HistoryValue): HistoryCell => ({
  ...value,
  step: MINUTE_MS,
  slot: historySlot(at, MINUTE_MS),
})
