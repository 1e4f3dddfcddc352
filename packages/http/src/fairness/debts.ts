import { levelsOf, type Party, STRANGERS } from './party'

/** Maximum number of lanes that owe turns at once. Past it, further lanes owe nothing. */
export const MAX_DEBTS = 10_000
/** Maximum number of turns that one lane owes. */
export const MAX_DEBT = 1_024

/**
 * Turns that lanes owe because their calls cost more than others. Each lane is stored under its name, made by `laneIn`.
 */
export class Debts {
  private readonly owed = new Map<string, number>()

  get size(): number {
    return this.owed.size
  }

  /**
   * Adds `turns` to the debt of the party's lanes on each level. Strangers are unrelated, so only the address of a
   * stranger owes turns.
   */
  add(party: Party, turns: number): void {
    const lanes = party.account === STRANGERS ? lanesOf(party).slice(-1) : lanesOf(party)
    for (const lane of lanes) {
      const owed = this.owed.get(lane)
      if (owed === undefined && this.owed.size >= MAX_DEBTS) return
      this.owed.set(lane, Math.min(MAX_DEBT, (owed ?? 0) + turns))
    }
  }

  /** Takes one turn off the debt of a lane. Returns false if the lane owes nothing. */
  pay(lane: string): boolean {
    const owed = this.owed.get(lane)
    if (owed === undefined) return false
    if (owed > 1) this.owed.set(lane, owed - 1)
    else this.owed.delete(lane)
    return true
  }

  /** Returns the largest debt of the party on any level, in turns. */
  of(party: Party): number {
    if (this.owed.size === 0) return 0
    return Math.max(...lanesOf(party).map((lane) => this.owed.get(lane) ?? 0))
  }

  clear(): void {
    this.owed.clear()
  }
}

/**
 * Returns the full name of the lane `name` inside of the lane `outer`. The empty text names the root of all lanes. No
 * name contains a line break.
 */
export const laneIn = (outer: string, name: string): string => `${outer}${name}\n`

/** Returns the full names of a party's lanes, the widest first. */
function lanesOf(party: Party): string[] {
  let lane = ''
  return levelsOf(party).map((name) => {
    lane = laneIn(lane, name)
    return lane
  })
}
