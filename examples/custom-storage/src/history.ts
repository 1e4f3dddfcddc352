import type { Instant } from '@matchyard/core'
import {
  addHistory,
  byPlace,
  HISTORY_KEPT_MS,
  HISTORY_STEP_NAMES,
  HISTORY_STEPS,
  type HistoryCell,
  type HistoryPart,
  type Storage,
} from '@matchyard/core/ports'
import type { Change, Journal } from './journal'

const tableOf = (step: number) => `history ${step}`

/** Reads the rows of the history. This example filters all rows of a step; an adapter for many rows needs an index. */
export const history = (journal: Journal): Storage['history'] => ({
  async read({ projectId, queueId, series, step, from, to, limit }) {
    const sums = new Map<string, HistoryPart>()
    for (const cell of [...journal.rows<HistoryCell>(tableOf(step)).values()].sort(byPlace)) {
      if (cell.projectId !== projectId || cell.series !== series) continue
      if (cell.slot < from || cell.slot >= to || (queueId !== undefined && cell.queueId !== queueId)) continue
      const { slot, key, count, sum, most } = cell
      const name = JSON.stringify([slot, key])
      sums.set(name, addHistory(sums.get(name), { slot, key, count, sum, most }))
    }
    return [...sums.values()].sort((a, b) => a.slot - b.slot || (a.key < b.key ? -1 : 1)).slice(0, limit)
  },
  async rows(step, after, before, limit) {
    const rows = [...journal.rows<HistoryCell>(tableOf(step)).values()]
    const asked = rows.filter((cell) => cell.slot < before && byPlace(cell, after) > 0)
    return structuredClone(asked.sort(byPlace).slice(0, limit))
  },
})

/** Returns the changes that remove the rows of the history that are past their retention. */
export const forgottenHistory = (journal: Journal, now: Instant): Change[] =>
  HISTORY_STEP_NAMES.flatMap((name) =>
    [...journal.rows<HistoryCell>(tableOf(HISTORY_STEPS[name]))]
      .filter(([, { slot }]) => slot < now - HISTORY_KEPT_MS[name])
      .map(([key]): Change => [tableOf(HISTORY_STEPS[name]), key]),
  )
