import type { HistorySeries } from '../catalog/history-series'
import type { Ports } from '../ports/ports'
import { addedHistory, HISTORY_STEPS, type HistoryCell, historySlot } from '../ports/storage/index'
import { DAY_MS } from '../shared/time'

/** Maximum number of build versions of a project and day with their own rows. Crashes of further versions count as OTHER_VERSIONS. */
export const CRASH_KEYS_A_DAY = 50
/** Maximum number of pairs of a build version and a cause of a project and day with their own rows of ended servers. */
export const END_KEYS_A_DAY = 200
/** Key of the crashes, and of the ended servers, of build versions without rows of their own. */
export const OTHER_VERSIONS = 'other'

/** Steps that the roll-up writes. */
const LONGER_STEPS = [HISTORY_STEPS['5m'], HISTORY_STEPS['1h'], HISTORY_STEPS['1d']]

/** Returns the rows of the longer steps to which rows of minutes add. */
export async function rolledUp(ctx: Ports, minutes: readonly HistoryCell[]): Promise<HistoryCell[]> {
  const known = new Map<string, Set<string>>()
  const cells: HistoryCell[] = []
  for (const minute of minutes) {
    const most = KEYS_A_DAY[minute.series]
    const cell = most === undefined ? minute : { ...minute, key: await boundedKey(ctx, minute, known, most) }
    for (const step of LONGER_STEPS) cells.push({ ...cell, step, slot: historySlot(minute.slot, step) })
  }
  return addedHistory(cells)
}

/** Maximum number of keys of a project and day, of the series whose keys have no other bound. */
const KEYS_A_DAY: { readonly [Series in HistorySeries]?: number } = { crashes: CRASH_KEYS_A_DAY, ends: END_KEYS_A_DAY }

async function boundedKey(
  ctx: Ports,
  cell: HistoryCell,
  known: Map<string, Set<string>>,
  most: number,
): Promise<string> {
  const { projectId, series, key } = cell
  const from = historySlot(cell.slot, DAY_MS)
  const name = `${projectId} ${series} ${from}`
  let keys = known.get(name)
  if (keys === undefined) {
    const query = { projectId, series, step: DAY_MS, from, to: from + DAY_MS, limit: most + 1 }
    keys = new Set((await ctx.storage.history.read(query)).map((part) => part.key))
    known.set(name, keys)
  }
  if (keys.has(key)) return key
  if (keys.size >= most) return OTHER_VERSIONS
  keys.add(key)
  return key
}
