import type { Ports } from '../ports/ports'
import { addedHistory, HISTORY_STEPS, type HistoryCell, historySlot, WHOLE_PROJECT } from '../ports/storage/index'
import { DAY_MS } from '../shared/time'

/** Maximum number of build versions of a project and day with their own rows. Crashes of further versions count as OTHER_VERSIONS. */
export const CRASH_KEYS_A_DAY = 50
/** Key of the crashes of build versions without rows of their own. */
export const OTHER_VERSIONS = 'other'

/** Steps that the roll-up writes. */
const LONGER_STEPS = [HISTORY_STEPS['5m'], HISTORY_STEPS['1h'], HISTORY_STEPS['1d']]

/** Returns the rows of the longer steps to which rows of minutes add: the rows of their queues, and of their projects. */
export async function rolledUp(ctx: Ports, minutes: readonly HistoryCell[]): Promise<HistoryCell[]> {
  const known = new Map<string, Set<string>>()
  const cells: HistoryCell[] = []
  for (const minute of minutes) {
    const cell = minute.series === 'crashes' ? { ...minute, key: await boundedKey(ctx, minute, known) } : minute
    for (const step of LONGER_STEPS) {
      const longer = { ...cell, step, slot: historySlot(minute.slot, step) }
      cells.push(longer, { ...longer, queueId: WHOLE_PROJECT })
    }
  }
  return addedHistory(cells)
}

async function boundedKey(ctx: Ports, cell: HistoryCell, known: Map<string, Set<string>>): Promise<string> {
  const { projectId, series, key } = cell
  const from = historySlot(cell.slot, DAY_MS)
  const name = `${projectId} ${from}`
  let keys = known.get(name)
  if (keys === undefined) {
    const query = {
      projectId,
      queueId: WHOLE_PROJECT,
      series,
      step: DAY_MS,
      from,
      to: from + DAY_MS,
      limit: CRASH_KEYS_A_DAY + 1,
    }
    keys = new Set((await ctx.storage.history.read(query)).map((part) => part.key))
    known.set(name, keys)
  }
  if (keys.has(key)) return key
  if (keys.size >= CRASH_KEYS_A_DAY) return OTHER_VERSIONS
  keys.add(key)
  return key
}
