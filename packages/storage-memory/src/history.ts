import type { Instant } from '@matchyard/core'
import {
  addHistory,
  byPlace,
  HISTORY_KEPT_MS,
  HISTORY_STEP_NAMES,
  HISTORY_STEPS,
  type HistoryCell,
  type HistoryPart,
  type HistoryPlace,
  type HistoryQuery,
  historyKey,
} from '@matchyard/core/ports'
import { inner, type MemoryData } from './memory-data'

const slotName = (step: number, slot: Instant) => `${step} ${slot}`

/** Adds the amounts of a commit to a row of the history. */
export function addToHistory(data: MemoryData, cell: HistoryCell): void {
  const rows = inner(data.historyRows, slotName(cell.step, cell.slot))
  const key = historyKey(cell)
  rows.set(key, addHistory(rows.get(key), cell))
}

export function readHistory(data: MemoryData, query: HistoryQuery): HistoryPart[] {
  const { projectId, queueId, series, step, from, to, limit } = query
  const parts: HistoryPart[] = []
  for (let slot = from; slot < to && parts.length < limit; slot += step) {
    const sums = new Map<string, HistoryPart>()
    for (const cell of data.historyRows.get(slotName(step, slot))?.values() ?? []) {
      if (cell.projectId !== projectId || cell.series !== series) continue
      if (queueId !== undefined && cell.queueId !== queueId) continue
      const { key, count, sum, most } = cell
      sums.set(key, addHistory(sums.get(key), { slot, key, count, sum, most }))
    }
    parts.push(...[...sums.values()].sort((a, b) => (a.key < b.key ? -1 : 1)))
  }
  return parts.slice(0, limit)
}

export function historyRows(
  data: MemoryData,
  step: number,
  after: HistoryPlace,
  before: Instant,
  limit: number,
): HistoryCell[] {
  const found: HistoryCell[] = []
  for (const rows of data.historyRows.values()) {
    for (const cell of rows.values()) {
      if (cell.step !== step || cell.slot < after.slot || cell.slot >= before) break
      if (byPlace(cell, after) > 0) found.push(cell)
    }
  }
  return found.sort(byPlace).slice(0, limit)
}

/** Removes the rows of the history that are older than their step is kept. */
export function pruneHistory(data: MemoryData, now: Instant): void {
  const keptMs = new Map<number, number>(HISTORY_STEP_NAMES.map((name) => [HISTORY_STEPS[name], HISTORY_KEPT_MS[name]]))
  for (const [name, rows] of data.historyRows) {
    for (const { step, slot } of rows.values()) {
      if (slot < now - (keptMs.get(step) ?? 0)) data.historyRows.delete(name)
      break
    }
  }
}
