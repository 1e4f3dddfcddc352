import type { TicketColumns } from '../columns/ticket-columns'
import type { SubsetSeating } from '../seating/subset-seating'
import type { Selection } from './selection'

/** Looks between two yields: a look is one ticket beside those chosen before it, under one rule. */
const LOOKS = 1 << 10
/** Looks at one unit; every set of twelve single players under five rules on lists needs no more. */
const MAX_LOOKS = 1 << 17

/** Tickets that break no rule together and could sit together; rules on teams are not asked. */
export interface ValidSet {
  /** Bit i: the ticket i, by age. */
  readonly set: number
  readonly players: number
  /** Spread of the first range rule. */
  readonly spread: number
  /** The relaxation that they are judged at. */
  readonly level: number
}

/** Finds all valid sets among a few tickets. */
export class ValidSets {
  readonly found: ValidSet[] = []
  /** By set: whether it is one of those asked for, and whether one of those holds it. */
  private readonly wanted: Uint8Array
  private readonly leads: Uint8Array
  private readonly step: number
  private looks = 0
  private level = 0

  constructor(
    private readonly columns: TicketColumns,
    /** By age. */
    private readonly slots: readonly number[],
    private readonly seating: SubsetSeating,
    private readonly selection: Selection,
    /** Whether short matches are asked for too. */
    short: boolean,
  ) {
    const { format } = columns
    this.step = format.ageOf === 'oldest' ? 1 : -1
    this.wanted = Uint8Array.from(seating.teams, (teams, set) =>
      teams >> format.minTeams > 0 && (short || seating.players[set] === format.fullSize) ? 1 : 0,
    )
    this.leads = this.wanted.slice()
    for (let bit = 1; bit < this.leads.length; bit <<= 1) {
      for (let set = 0; set < this.leads.length; set++) {
        if (set & bit && this.leads[set] === 1) this.leads[set ^ bit] = 1
      }
    }
  }

  /** Whether the search was given up. */
  get bounded(): boolean {
    return this.looks > MAX_LOOKS
  }

  /**
   * The ticket whose wait sets the bounds comes first, the oldest or the youngest of the set; then only tickets on its other
   * side join, as long as some set asked for holds all of them.
   */
  *find(): Generator<undefined, void, undefined> {
    for (let ruling = 0; ruling < this.slots.length; ruling++) {
      const slot = this.slots[ruling] as number
      this.level = this.columns.level[slot] as number
      this.selection.start(this.level)
      if (this.selection.push(slot)) yield* this.grow(ruling, 1 << ruling)
    }
  }

  private *grow(index: number, set: number): Generator<undefined, void, undefined> {
    const { selection, level } = this
    const players = this.seating.players[set] as number
    if (this.wanted[set] === 1) this.found.push({ set, players, spread: selection.spread, level })
    for (let next = index + this.step; next >= 0 && next < this.slots.length; next += this.step) {
      const more = set | (1 << next)
      if (this.leads[more] === 0 || this.bounded) continue
      const before = this.looks
      this.looks += 1 + this.columns.valueRules.length * players
      if (Math.floor(before / LOOKS) < Math.floor(this.looks / LOOKS)) yield
      if (!selection.push(this.slots[next] as number)) continue
      yield* this.grow(next, more)
      selection.pop()
    }
  }
}
