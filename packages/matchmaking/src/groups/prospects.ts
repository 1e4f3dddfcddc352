import type { MaskColumn, RangeColumn } from '../columns/extraction'
import type { TicketColumns } from '../columns/ticket-columns'
import { Nearby } from '../pairs/nearby'
import { PairRulesAt } from '../pairs/pair-rules-at'
import { popcount16 } from '../rules/region-mask'
import type { OrderedIndex } from '../sorting/ordered-index'

/**
 * Most nearby tickets that are counted. With more tickets a match is likely, and a search is then as cheap as counting.
 */
const MAX_NEAR = 512

/**
 * Estimates, by counting players, whether one ticket (the leader) may lead a match that contains another ticket (the
 * centre). For a "yes", some region and some window of values must hold enough players who could be in a match with the
 * leader and the centre. The result "no" is certain; "yes" is a guess that costs far less than a search.
 */
export class Prospects {
  private readonly beside: PairRulesAt
  private readonly nearby: Nearby
  private readonly range: RangeColumn | undefined
  private readonly mask: MaskColumn | undefined
  /**
   * `centre` is the ticket that the match must contain. `near` are the tickets that could be in a match with the
   * centre, sorted by value, with the tickets without a value last.
   */
  private centre = 0
  private readonly near = new Int32Array(MAX_NEAR)
  count = 0
  /** Lowest value, highest value and common regions of the leader and the centre together. */
  private low = Number.NaN
  private high = Number.NaN
  private common = 0
  /** Tickets with a value that may join the leader and the centre. */
  private readonly joining = new Int32Array(MAX_NEAR)
  private joined = 0
  /** By region: number of players in the current window. */
  private readonly counts = new Int32Array(16)

  constructor(
    private readonly columns: TicketColumns,
    private readonly index: OrderedIndex,
  ) {
    this.beside = new PairRulesAt(columns)
    this.nearby = new Nearby(columns, index, this.beside)
    this.range = columns.ranges[0]
    this.mask = columns.masks[0]
  }

  /** Clears the stored positions in the index. The caller must call it when the index has changed. */
  forget(): void {
    this.nearby.forget()
  }

  /**
   * Sets the centre, and collects the tickets that may be in a match with it. Returns false where there are too many
   * such tickets. `crossing` says whether tickets of other buckets may fit.
   */
  look(slot: number, level: number, crossing: boolean): boolean {
    const { alive } = this.columns
    const { slots } = this.index
    this.centre = slot
    this.count = 0
    for (const [from, to] of this.nearby.spans(slot, level, crossing)) {
      for (let at = from; at < to; at++) {
        const other = slots[at] as number
        if (other === slot || alive[other] !== 1 || !this.beside.agree(slot, other, level)) continue
        if (this.count === MAX_NEAR) return false
        this.near[this.count++] = other
      }
    }
    if (crossing) this.near.subarray(0, this.count).sort((a, b) => (this.columns.before(a, b) ? -1 : 1))
    return true
  }

  /** Returns the collected tickets that are older than the centre. */
  older(): number[] {
    const { columns, centre } = this
    return Array.from(this.near.subarray(0, this.count)).filter((slot) => columns.older(slot, centre))
  }

  /** Whether `leader` may lead a match of at least `players` players that contains the centre. */
  mayLead(leader: number, level: number, players: number): boolean {
    const { columns, centre, counts } = this
    this.merge(leader, centre, level)
    const need = this.needAt(level)
    if (this.high - this.low > this.reachAt(level) || popcount16(this.common) < need) return false
    if (leader !== centre && !this.beside.agree(leader, centre, level)) return false
    const others = leader === centre ? 0 : (columns.players[leader] as number)
    counts.fill((columns.players[centre] as number) + others)
    this.gather(leader, level, need)
    return this.slide(level, need, players)
  }

  private reachAt(level: number): number {
    return this.columns.levels.ranges[0]?.[level] ?? Number.POSITIVE_INFINITY
  }

  /**
   * Returns the number of regions that the tickets of a match must have in common at a level. Without a region rule the
   * result is 1, because one bit then stands for all regions.
   */
  private needAt(level: number): number {
    return Math.max(1, this.mask?.need[level] ?? 0)
  }

  private regionsOf(slot: number, level: number): number {
    const { mask } = this
    if (!mask || mask.need[level] === 0) return 1
    return ((mask.byLevel[level] ?? mask.byLevel[0]) as Uint16Array)[slot] as number
  }

  private merge(leader: number, centre: number, level: number): void {
    const { range } = this
    this.common = this.regionsOf(leader, level) & this.regionsOf(centre, level)
    this.low = range ? least(range.low[leader] as number, range.low[centre] as number) : Number.NaN
    this.high = range ? most(range.high[leader] as number, range.high[centre] as number) : Number.NaN
  }

  /**
   * Collects the tickets that may join the leader and the centre. Tickets without a value are added to the counts at
   * once.
   */
  private gather(leader: number, level: number, need: number): void {
    const { columns, range, centre, near } = this
    const reach = this.reachAt(level)
    this.joined = 0
    for (let at = 0; at < this.count; at++) {
      const slot = near[at] as number
      if (slot === leader || !columns.older(leader, slot)) continue
      if (popcount16(this.regionsOf(slot, level) & this.common) < need) continue
      if (range && most(this.high, range.high[slot] as number) - least(this.low, range.low[slot] as number) > reach)
        continue
      if (leader !== centre && !this.beside.agree(leader, slot, level)) continue
      if (range && !Number.isNaN(range.low[slot])) this.joining[this.joined++] = slot
      else this.countIn(slot, level, 1)
    }
  }

  /**
   * Whether at least one window of values around the leader and the centre contains enough players in enough regions.
   */
  private slide(level: number, need: number, players: number): boolean {
    const { joining, joined } = this
    const reach = this.reachAt(level)
    const values = this.range?.low as Float64Array
    if (this.enough(need, players)) return true
    let end = 0
    for (let from = 0; from < joined; from++) {
      const first = values[joining[from] as number] as number
      // A window begins at the lower value of the leader and the centre, or below that value.
      const start = least(first, this.low)
      const before = end
      while (end < joined && (values[joining[end] as number] as number) - start <= reach) {
        this.countIn(joining[end++] as number, level, 1)
      }
      if (end > before && this.enough(need, players)) return true
      if (end === joined || start === this.low) return false
      this.countIn(joining[from] as number, level, -1)
    }
    return false
  }

  private countIn(slot: number, level: number, by: number): void {
    const { counts } = this
    const players = by * (this.columns.players[slot] as number)
    for (let bits = this.regionsOf(slot, level) & this.common; bits !== 0; bits &= bits - 1) {
      const region = 31 - Math.clz32(bits & -bits)
      counts[region] = (counts[region] as number) + players
    }
  }

  private enough(need: number, players: number): boolean {
    let regions = 0
    for (let bits = this.common; bits !== 0; bits &= bits - 1) {
      if ((this.counts[31 - Math.clz32(bits & -bits)] as number) >= players && ++regions >= need) return true
    }
    return false
  }
}

/** Returns the lower of two values. The function `most` returns the higher value. Either value may be absent (NaN). */
const least = (a: number, b: number): number => (a <= b || Number.isNaN(b) ? a : b)
const most = (a: number, b: number): number => (a >= b || Number.isNaN(b) ? a : b)
