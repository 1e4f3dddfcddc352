import { levelsOf, type Party, STRANGERS } from './party'

/** Lanes that can owe turns at once; past it a new one owes nothing. */
export const MAX_DEBTS = 10_000
/** Turns that one lane can owe. */
export const MAX_DEBT = 1_024

/** Turns that lanes owe because their calls cost more than others, by the names of the lane. */
export class Debts {
  private readonly owed = new Map<string, number>()

  get size(): number {
    return this.owed.size
  }

  /** Notes `turns` for the party on each level. Strangers have nothing to do with each other, so each address owes for itself alone. */
  add(party: Party, turns: number): void {
    const lanes = party.account === STRANGERS ? lanesOf(party).slice(-1) : lanesOf(party)
    for (const lane of lanes) {
      const owed = this.owed.get(lane)
      if (owed === undefined && this.owed.size >= MAX_DEBTS) return
      this.owed.set(lane, Math.min(MAX_DEBT, (owed ?? 0) + turns))
    }
  }

  /** Takes one turn off what the lane owes. Returns false where it owes nothing. */
  pay(lane: string): boolean {
    const owed = this.owed.get(lane)
    if (owed === undefined) return false
    if (owed > 1) this.owed.set(lane, owed - 1)
    else this.owed.delete(lane)
    return true
  }

  /** The most that the party owes on any level. */
  of(party: Party): number {
    if (this.owed.size === 0) return 0
    return Math.max(...lanesOf(party).map((lane) => this.owed.get(lane) ?? 0))
  }

  clear(): void {
    this.owed.clear()
  }
}

/** The name of the lane `name` inside of the lane `outer`; the empty text is what all lanes are in. No name holds a line break. */
export const laneIn = (outer: string, name: string): string => `${outer}${name}\n`

/** The lanes that a party is in, the widest first. */
function lanesOf(party: Party): string[] {
  let lane = ''
  return levelsOf(party).map((name) => {
    lane = laneIn(lane, name)
    return lane
  })
}
