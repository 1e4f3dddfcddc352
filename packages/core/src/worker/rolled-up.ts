import type { HistorySeries } from '../catalog/history-series'
import type { Service } from '../node/service'
import { addedHistory, HISTORY_STEPS, type HistoryCell, historySlot, WHOLE_PROJECT } from '../ports/storage/index'
import { fieldOfSpread, SPREAD_BUCKETS, withoutField } from '../reads/spread-buckets'
import { DAY_MS } from '../shared/time'

/** Maximum number of build versions of a project and day with their own rows. Crashes and servers of further versions count as OTHER. */
export const KEYS_A_DAY = 50
/** Maximum number of pairs of a build version and a cause of a project and day with their own rows of ended servers. */
export const END_KEYS_A_DAY = 200
/** Key of the amounts of build versions without rows of their own. */
export const OTHER = 'other'
/** Maximum number of fields of a queue and day with their own rows of spreads. Spreads of further fields count without a field. */
export const SPREAD_FIELDS_A_DAY = 8

/** Bound for the parts of a series in one day. */
interface Bound {
  readonly most: number
  /** Whether the bound is for each queue, and not for the project. */
  readonly isOfQueue: boolean
  /** Returns the part that a key names. */
  readonly part: (key: string) => string
  /** Returns the key of a part without rows of its own. */
  readonly other: (key: string) => string
}

const ofProject: Bound = { most: KEYS_A_DAY, isOfQueue: false, part: (key) => key, other: () => OTHER }
const BOUNDS: Partial<Record<HistorySeries, Bound>> = {
  crashes: ofProject,
  servers: ofProject,
  ends: { ...ofProject, most: END_KEYS_A_DAY },
  spread: { most: SPREAD_FIELDS_A_DAY, isOfQueue: true, part: fieldOfSpread, other: withoutField },
}
/** Maximum number of sums that the roll-up reads to know the parts of a day. */
const SUMS_READ = SPREAD_BUCKETS.length * (SPREAD_FIELDS_A_DAY + 1)

/** Maximum number of days of a project or queue of which this node remembers stored parts. Beyond it, all are forgotten and read again. */
const MAX_REMEMBERED = 2_000

/** Steps that the roll-up writes. */
const LONGER_STEPS = [HISTORY_STEPS['5m'], HISTORY_STEPS['1h'], HISTORY_STEPS['1d']]

/** Returns the rows of the longer steps to which rows of minutes add: the rows of their queues, and of their projects. */
export async function rolledUp(ctx: Service, minutes: readonly HistoryCell[]): Promise<HistoryCell[]> {
  const known = new Map<string, Set<string>>()
  const cells: HistoryCell[] = []
  for (const minute of minutes) {
    const bound = BOUNDS[minute.series]
    const cell = bound === undefined ? minute : { ...minute, key: await boundedKey(ctx, minute, bound, known) }
    for (const step of LONGER_STEPS) {
      const longer = { ...cell, step, slot: historySlot(minute.slot, step) }
      cells.push(longer, { ...longer, queueId: WHOLE_PROJECT })
    }
  }
  return addedHistory(cells)
}

async function boundedKey(
  ctx: Service,
  { projectId, queueId, series, key, slot }: HistoryCell,
  bound: Bound,
  known: Map<string, Set<string>>,
): Promise<string> {
  const from = historySlot(slot, DAY_MS)
  const of = { projectId, queueId: bound.isOfQueue ? queueId : WHOLE_PROJECT }
  const name = JSON.stringify([series, of, from])
  const part = bound.part(key)
  // A part that was stored once stays within the bound, so only parts that are new to this node cause a read.
  const { historyParts } = ctx.node
  if (historyParts.get(name)?.has(part) === true) return key
  let parts = known.get(name)
  if (parts === undefined) {
    const query = { ...of, series, step: DAY_MS, from, to: from + DAY_MS, limit: SUMS_READ }
    const sums = await ctx.storage.history.read(query)
    parts = new Set(sums.map((sum) => bound.part(sum.key)))
    parts.delete(bound.part(bound.other(key)))
    known.set(name, parts)
    if (historyParts.size >= MAX_REMEMBERED) historyParts.clear()
    historyParts.set(name, new Set(parts))
  }
  if (parts.has(part)) return key
  if (parts.size >= bound.most) return bound.other(key)
  parts.add(part)
  return key
}
