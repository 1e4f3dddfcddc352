import { standingCounters } from '../../rating/board-counters'
import type { Standing } from '../../rating/standing'
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
  const totals = new Totals()
  for (const { before, after, earlierId } of changes) {
    if (before === undefined) draft.create('standing', after)
    else draft.update('standing', before, after)
    const isNewSeason = before !== undefined && before.season !== after.season
    if (isNewSeason) draft.create('standing', { ...before, id: earlierId, version: 1 })
    if (before !== undefined && !isNewSeason) totals.add(before, -1)
    totals.add(after, 1)
  }
  totals.addTo(draft)
}

/** Removes standings, and what the leaderboards counted of them. */
export function removeStandings(draft: Draft, standings: readonly Standing[]): void {
  const totals = new Totals()
  for (const standing of standings) {
    draft.remove('standing', standing)
    totals.add(standing, -1)
  }
  totals.addTo(draft)
}

/** Changes of the counters of leaderboards. A standing that moves by one match changes few of them: the others add up to 0. */
class Totals {
  private readonly changes = new Map<string, number>()

  add(standing: Standing, by: 1 | -1): void {
    for (const id of standingCounters(standing)) this.changes.set(id, (this.changes.get(id) ?? 0) + by)
  }

  addTo(draft: Draft): void {
    for (const [id, by] of this.changes) if (by !== 0) draft.counter(id, by)
  }
}
