import type { TicketColumns } from '../columns/ticket-columns'
import { ALL_REGIONS, popcount16 } from '../rules/region-mask'
import { teamsHold } from '../seating/team-averages'
import type { PairView } from './linear'
import { PairRulesAt } from './pair-rules-at'

/** Decides whether two tickets of one player each may form a match. The tickets are given by their slots. */
export class PairRules {
  private readonly at: PairRulesAt
  private readonly ranges: readonly (readonly number[])[]
  private readonly keysOff: readonly (readonly boolean[])[]
  private readonly oldest: boolean
  /**
   * Whether at least one `key` rule turns off at some level, so that tickets may then have partners in other buckets.
   */
  private readonly keysRelax: boolean
  /** Number of rules whose shape is not `range`, `mask` or `key`. */
  private readonly rare: number
  /**
   * Set before each tick: whether all tickets have the same level of relaxation (`uniform`), and the highest level of a
   * ticket (`level`).
   */
  uniform = true
  level = 0
  /** Whether at least one waiting ticket may have partners in other buckets. */
  crossing = false
  /** Largest difference between the sort values (`order`) of the two tickets of a pair. */
  reach = Number.POSITIVE_INFINITY

  constructor(private readonly columns: TicketColumns) {
    const { format } = columns
    this.at = new PairRulesAt(columns)
    this.ranges = columns.levels.ranges
    this.keysOff = columns.levels.keysOff
    this.keysRelax = this.keysOff.some((off) => off.at(-1))
    this.rare =
      columns.gateRules.length +
      columns.valueRules.length +
      columns.format.rules.filter((rule) => rule.kind.shape === 'teams').length
    this.oldest = format.ageOf === 'oldest'
  }

  /**
   * The mask of each slot, in the common case: at most one `range` rule, one `mask` rule, and all tickets at the same
   * level. Where only `apart` rules are added to the `range` rule, every slot has all bits.
   */
  quickMask: Uint16Array | undefined
  quickNeed = 0

  /** Prepares the rules for a tick, from the lowest and highest level of the waiting tickets. */
  prepare(lowest: number, highest: number): void {
    this.uniform = lowest === highest
    this.level = highest
    this.reach = this.ranges[0]?.[highest] ?? Number.POSITIVE_INFINITY
    const { masks, apart, unordered, capacity, wildTickets } = this.columns
    const [mask] = masks
    const plain = this.uniform && masks.length <= 1 && this.ranges.length <= 1 && unordered === 0 && this.rare === 0
    this.quickNeed = plain ? (mask?.need[highest] ?? Math.min(1, apart.length)) : 0
    this.quickMask = undefined
    if (this.quickNeed > 0) {
      this.quickMask = mask ? (mask.byLevel[highest] ?? mask.byLevel[0]) : new Uint16Array(capacity).fill(ALL_REGIONS)
    }
    this.crossing = wildTickets > 0 || this.keysOff.some((off) => off[highest])
  }

  /** Whether a slot may have partners in other buckets. */
  crosses(slot: number): boolean {
    if (!this.crossing) return false
    if (this.columns.wild[slot] === 1) return true
    if (!this.keysRelax) return false
    const level = this.columns.level[slot] as number
    return this.keysOff.some((off) => off[level])
  }

  fits(a: number, b: number): boolean {
    const { columns, quickMask } = this
    if (quickMask !== undefined) {
      const common = (quickMask[a] as number) & (quickMask[b] as number)
      if (common === 0 || (this.quickNeed > 1 && popcount16(common) < this.quickNeed)) return false
      if (columns.bucket[a] !== columns.bucket[b] && !this.at.keysFit(a, b, this.level)) return false
      if (Math.abs((columns.order[a] as number) - (columns.order[b] as number)) > this.reach) return false
      return !this.isKeptApart(a, b)
    }
    const level = this.uniform ? this.level : (columns.level[columns.older(a, b) === this.oldest ? a : b] as number)
    if (!this.at.fits(a, b, level)) return false
    if (columns.playerHash[a] === columns.playerHash[b] && columns.samePlayer(a, b)) return false
    if (this.rare === 0) return true
    return columns.valuesHold([a, b], level) && teamsHold(columns, { slots: [a, b], teamOf: [0, 1], teams: 2 }, level)
  }

  /** Whether a ticket by itself breaks no rule at its level, so that it may play alone. */
  holdsAlone(slot: number): boolean {
    const { columns } = this
    const level = columns.level[slot] as number
    return this.at.fits(slot, slot, level) && columns.valuesHold([slot], level)
  }

  /** Whether the tickets at places `a` and `b` of one bucket fit, in a view with copied masks. */
  fitsNearby({ masks, values, slots }: PairView, a: number, b: number): boolean {
    const common = ((masks as Uint16Array)[a] as number) & ((masks as Uint16Array)[b] as number)
    if (this.quickNeed === 1 ? common === 0 : popcount16(common) < this.quickNeed) return false
    if (Math.abs((values[a] as number) - (values[b] as number)) > this.reach) return false
    const one = slots[a] as number
    const other = slots[b] as number
    return !this.isKeptApart(one, other)
  }

  /** Whether two single players of quick rules are one player, or must not meet. */
  isKeptApart(a: number, b: number): boolean {
    const { columns, level } = this
    if (columns.apart.length > 0) return columns.partsSingles(a, b, level)
    return columns.playerHash[a] === columns.playerHash[b] && columns.samePlayer(a, b)
  }
}
