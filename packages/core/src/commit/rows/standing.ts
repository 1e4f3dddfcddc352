import { boardOf, type Standing } from '../../rating/standing'
import { boardCounter } from '../counters'
import type { Draft } from '../draft'

/** A standing before a change, undefined without one, and after it. */
export interface StandingChange {
  readonly before: Standing | undefined
  readonly after: Standing
  /** Id of the row that keeps the earlier standing when a new season begins for the player. */
  readonly earlierId: string
}

/**
 * Writes changed standings. The first change of a standing in a new season leaves the earlier standing in a row of its own. The counters of
 * the leaderboards follow.
 */
export function putStandings(draft: Draft, changes: readonly StandingChange[]): void {
  const boards = new Map<string, number>()
  const add = (board: string | null, by: number) => board !== null && boards.set(board, (boards.get(board) ?? 0) + by)
  for (const { before, after, earlierId } of changes) {
    if (before === undefined) draft.create('standing', after)
    else draft.update('standing', before, after)
    const isNewSeason = before !== undefined && before.season !== after.season
    if (isNewSeason) draft.create('standing', { ...before, id: earlierId, version: 1 })
    if (before !== undefined && !isNewSeason) add(boardOf(before), -1)
    add(boardOf(after), 1)
  }
  addTo(draft, boards)
}

/** Removes standings, and what the leaderboards counted of them. */
export function removeStandings(draft: Draft, standings: readonly Standing[]): void {
  const boards = new Map<string, number>()
  for (const standing of standings) {
    draft.remove('standing', standing)
    const board = boardOf(standing)
    if (board !== null) boards.set(board, (boards.get(board) ?? 0) - 1)
  }
  addTo(draft, boards)
}

function addTo(draft: Draft, boards: ReadonlyMap<string, number>): void {
  for (const [board, by] of boards) if (by !== 0) draft.counter(boardCounter(board), by)
}
