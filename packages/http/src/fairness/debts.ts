import { levelsOf, type Party, STRANGERS } from './party'

/**
 * Maximum number of lanes (queues of one caller) that owe turns at the same time. Beyond this number, no further lane
 * gets a debt.
 */
export const MAX_DEBTS = 10_000
/** Maximum number of turns that one lane owes. */
export const MAX_DEBT = 1_024

/**
 * Turns that lanes (queues of one caller on one level) owe, because their calls cost more than others. A lane in debt
 * is skipped once for each turn that it owes. Each lane is stored under the name that `laneIn` makes.
 */
export class Debts {
  private readonly owed = new Map<string, number>()

  get size(): number {
    return this.owed.size
  }

  /**
   * Adds `turns` to the debt of a caller's lanes on all levels. Strangers (callers without a known credential) have
   * nothing in common, so only the address of a stranger owes turns.
   */
  add(party: Party, turns: number): void {
    const lanes = party.account === STRANGERS ? lanesOf(party).slice(-1) : lanesOf(party)
    for (const lane of lanes) {
      const owed = this.owed.get(lane)
      if (owed === undefined && this.owed.size >= MAX_DEBTS) return
      this.owed.set(lane, Math.min(MAX_DEBT, (owed ?? 0) + turns))
    }
  }

  /** Reduces the debt of a lane by one turn. Returns false if the lane owes nothing. */
  pay(lane: string): boolean {
    const owed = this.owed.get(lane)
    if (owed === undefined) return false
    if (owed > 1) this.owed.set(lane, owed - 1)
    else this.owed.delete(lane)
    return true
  }

  /** Returns the largest debt of a caller's lanes, in turns. */
  of(party: Party): number {
    if (this.owed.size === 0) return 0
    return Math.max(...lanesOf(party).map((lane) => this.owed.get(lane) ?? 0))
  }

  clear(): void {
    this.owed.clear()
  }
}

/**
 * Returns the full name of the lane `name` inside the lane `outer`. The empty string is the name of the outermost
 * level. No name contains a line break.
 */
export const laneIn = (outer: string, name: string): string => `${outer}${name}\n`

/** Returns the full names of a caller's lanes, from the account to the address. */
function lanesOf(party: Party): string[] {
  let lane = ''
  return levelsOf(party).map((name) => {
    lane = laneIn(lane, name)
    return lane
  })
}
