import type { TicketColumns } from '../columns/ticket-columns'
import { popcount16 } from '../rules/region-mask'
import type { PairView } from './linear'

/** Whether two tickets of one player each may be a match, by slot. */
export class PairRules {
  private readonly ranges: readonly (readonly number[])[]
  private readonly keysOff: readonly (readonly boolean[])[]
  /** By level: the gate bits that count. */
  private readonly gateBits: readonly number[]
  private readonly oldest: boolean
  /** Whether a ticket may reach into other buckets once it has relaxed. */
  private readonly keysRelax: boolean
  /** How many rules have none of the common shapes. */
  private readonly rare: number
  /** Set before a tick: whether all tickets have the same level, and then which. */
  uniform = true
  level = 0
  /** Whether any waiting ticket may have partners in other buckets. */
  crossing = false
  /** No two tickets may be further apart in order than this. */
  reach = Number.POSITIVE_INFINITY

  constructor(private readonly columns: TicketColumns) {
    const { format } = columns
    this.ranges = columns.levels.ranges
    this.keysOff = columns.levels.keysOff
    this.keysRelax = this.keysOff.some((off) => off.at(-1))
    this.rare =
      columns.gateRules.length +
      columns.valueRules.length +
      columns.format.rules.filter((rule) => rule.kind.shape === 'teams').length
    this.gateBits = columns.levels.gateBits
    this.oldest = format.ageOf === 'oldest'
  }

  /** The common case: one bound and one mask, everyone equally relaxed. */
  quickMask: Uint16Array | undefined
  quickNeed = 0

  /** Reads how far tickets have relaxed. */
  prepare(lowest: number, highest: number): void {
    this.uniform = lowest === highest
    this.level = highest
    this.reach = this.ranges[0]?.[highest] ?? Number.POSITIVE_INFINITY
    const [mask] = this.columns.masks
    const plain =
      this.uniform &&
      this.columns.masks.length === 1 &&
      this.ranges.length <= 1 &&
      this.columns.unordered === 0 &&
      this.rare === 0
    this.quickNeed = plain ? (mask?.need[highest] ?? 0) : 0
    this.quickMask = this.quickNeed > 0 ? (mask?.byLevel[highest] ?? mask?.byLevel[0]) : undefined
    this.crossing = this.columns.wildTickets > 0 || this.keysOff.some((off) => off[highest])
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
      if (columns.bucket[a] !== columns.bucket[b] && !this.keysFit(a, b, this.level)) return false
      if (Math.abs((columns.order[a] as number) - (columns.order[b] as number)) > this.reach) return false
      return columns.playerHash[a] !== columns.playerHash[b] || !this.samePlayer(a, b)
    }
    const level = this.uniform ? this.level : (columns.level[columns.older(a, b) === this.oldest ? a : b] as number)
    for (let index = 0; index < this.ranges.length; index++) {
      const { low } = columns.ranges[index] as TicketColumns['ranges'][0]
      if (Math.abs((low[a] as number) - (low[b] as number)) > (this.ranges[index]?.[level] as number)) return false
    }
    for (let index = 0; index < columns.masks.length; index++) {
      const { byLevel, need } = columns.masks[index] as TicketColumns['masks'][0]
      const mask = (byLevel[level] ?? byLevel[0]) as Uint16Array
      if (popcount16((mask[a] as number) & (mask[b] as number)) < (need[level] as number)) return false
    }
    if (columns.bucket[a] !== columns.bucket[b] && !this.keysFit(a, b, level)) return false
    if (((columns.gates[a] as number) | (columns.gates[b] as number)) & (this.gateBits[level] as number)) return false
    if (columns.playerHash[a] === columns.playerHash[b] && this.samePlayer(a, b)) return false
    return this.restFits(a, b, level)
  }

  /** Whether a ticket breaks no rule by itself as far as it has relaxed, so that it may play alone. */
  holdsAlone(slot: number): boolean {
    const { columns } = this
    const level = columns.level[slot] as number
    if ((columns.gates[slot] as number) & (this.gateBits[level] as number)) return false
    return (
      columns.masks.every(({ byLevel, need }) => {
        const mask = (byLevel[level] ?? byLevel[0]) as Uint16Array
        return popcount16(mask[slot] as number) >= (need[level] as number)
      }) &&
      columns.valueRules.every(
        ({ kind, bounds, off }, index) =>
          off[level] || kind.holds(columns.values[slot]?.[index] ?? [], bounds[level] as number),
      )
    )
  }

  /** The same for two places of one bucket of a view whose masks were read out. */
  fitsNearby({ masks, values, slots }: PairView, a: number, b: number): boolean {
    const common = ((masks as Uint16Array)[a] as number) & ((masks as Uint16Array)[b] as number)
    if (this.quickNeed === 1 ? common === 0 : popcount16(common) < this.quickNeed) return false
    if (Math.abs((values[a] as number) - (values[b] as number)) > this.reach) return false
    const { playerHash } = this.columns
    const one = slots[a] as number
    const other = slots[b] as number
    return playerHash[one] !== playerHash[other] || !this.samePlayer(one, other)
  }

  private keysFit(a: number, b: number, level: number): boolean {
    const { columns } = this
    if (columns.group[a] !== columns.group[b]) return false
    return columns.keys.every(({ keys }, index) => {
      const ka = keys[a] as number
      const kb = keys[b] as number
      return ka === kb || ka === 0 || kb === 0 || this.keysOff[index]?.[level] === true
    })
  }

  samePlayer(a: number, b: number): boolean {
    const { tickets } = this.columns
    return tickets[a]?.players[0]?.playerId === tickets[b]?.players[0]?.playerId
  }

  /** The rarer shapes: `values` and `teams`. */
  private restFits(a: number, b: number, level: number): boolean {
    const { columns } = this
    for (let index = 0; index < columns.valueRules.length; index++) {
      const { kind, bounds, off } = columns.valueRules[index] as TicketColumns['valueRules'][0]
      if (off[level]) continue
      const both = [...(columns.values[a]?.[index] ?? []), ...(columns.values[b]?.[index] ?? [])]
      if (!kind.holds(both, bounds[level] as number)) return false
    }
    for (const { levels, sum, count } of columns.sums) {
      if (levels.kind.shape !== 'teams' || levels.off[level] || !count[a] || !count[b]) continue
      if (!levels.kind.holds([sum[a] as number, sum[b] as number], levels.bounds[level] as number)) return false
    }
    return true
  }
}
