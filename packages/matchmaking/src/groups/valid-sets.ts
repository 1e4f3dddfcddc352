import type { TicketColumns } from '../columns/ticket-columns'
import type { SubsetSeating } from '../seating/subset-seating'
import type { Selection } from './selection'

/**
 * Number of comparisons between two yields. A comparison tests one ticket, under one rule, with the tickets chosen
 * before it.
 */
const LOOKS = 1 << 10
/** Most comparisons for one unit. All sets of twelve single players under five rules on lists need no more. */
const MAX_LOOKS = 1 << 17

/**
 * A set of tickets that break no rule together and could be seated together, apart from rules on teams, which are not
 * checked.
 */
export interface ValidSet {
  /** The tickets of the set: bit i stands for ticket i, in order of age. */
  readonly set: number
  readonly players: number
  /** Difference of the tickets' values for the first `range` rule. */
  readonly spread: number
  /** Level whose bounds apply to the set. */
  readonly level: number
}

/** Finds all valid sets among a few tickets. */
export class ValidSets {
  readonly found: ValidSet[] = []
  /**
   * By set: `wanted` says whether the tickets fill enough teams for a match, and `leads` says whether some wanted set
   * contains this set.
   */
  private readonly wanted: Uint8Array
  private readonly leads: Uint8Array
  private readonly step: number
  private looks = 0
  private level = 0

  constructor(
    private readonly columns: TicketColumns,
    /** Slots in order of age. */
    private readonly slots: readonly number[],
    private readonly seating: SubsetSeating,
    private readonly selection: Selection,
    /** Whether sets for short matches are wanted too. */
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

  /** Whether the search stopped at its limit. */
  get bounded(): boolean {
    return this.looks > MAX_LOOKS
  }

  /**
   * Finds the valid sets. Each search begins with the ticket whose waiting time sets the bounds: the oldest or the
   * youngest ticket of the set. Then only younger tickets, or only older tickets, are added, as long as a wanted set
   * contains all of them.
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
