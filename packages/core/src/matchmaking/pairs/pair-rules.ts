import { popcount16 } from '../region-mask'
import type { Store } from '../store'
import type { PairView } from './linear'

/** By rule, then level: the bound in force; a rule that is off has none. */
export const boundsByLevel = (bounds: readonly number[], off: readonly boolean[]): number[] =>
  bounds.map((bound, level) => (off[level] ? Number.POSITIVE_INFINITY : bound))

/** Whether two tickets of one player each may be a match, by slot. */
export class PairRules {
  private readonly ranges: readonly number[][]
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

  constructor(private readonly store: Store) {
    const { plan } = store
    this.ranges = store.ranges.map((column) => boundsByLevel(column.plan.bounds, column.plan.off))
    this.keysOff = store.keys.map((column) => column.plan.off)
    this.keysRelax = this.keysOff.some((off) => off.at(-1))
    this.rare =
      store.gateRules.length +
      store.valueRules.length +
      store.plan.rules.filter((rule) => rule.kind.shape === 'teams').length
    this.gateBits = gateBitsByLevel(store)
    this.oldest = plan.ageOf === 'oldest'
  }

  /** The common case: one bound and one mask, everyone equally relaxed. */
  quickMask: Uint16Array | undefined
  quickNeed = 0

  /** Reads how far tickets have relaxed. */
  prepare(lowest: number, highest: number): void {
    this.uniform = lowest === highest
    this.level = highest
    this.reach = this.ranges[0]?.[highest] ?? Number.POSITIVE_INFINITY
    const [mask] = this.store.masks
    const plain =
      this.uniform &&
      this.store.masks.length === 1 &&
      this.ranges.length <= 1 &&
      this.store.unordered === 0 &&
      this.rare === 0
    this.quickNeed = plain ? (mask?.need[highest] ?? 0) : 0
    this.quickMask = this.quickNeed > 0 ? (mask?.byLevel[highest] ?? mask?.byLevel[0]) : undefined
    this.crossing = this.store.wildTickets > 0 || this.keysOff.some((off) => off[highest])
  }

  /** Whether a slot may have partners in other buckets. */
  crosses(slot: number): boolean {
    if (!this.crossing) return false
    if (this.store.wild[slot] === 1) return true
    if (!this.keysRelax) return false
    const level = this.store.level[slot] as number
    return this.keysOff.some((off) => off[level])
  }

  fits(a: number, b: number): boolean {
    const { store, quickMask } = this
    if (quickMask !== undefined) {
      const common = (quickMask[a] as number) & (quickMask[b] as number)
      if (common === 0 || (this.quickNeed > 1 && popcount16(common) < this.quickNeed)) return false
      if (store.bucket[a] !== store.bucket[b] && !this.keysFit(a, b, this.level)) return false
      if (Math.abs((store.order[a] as number) - (store.order[b] as number)) > this.reach) return false
      return store.playerHash[a] !== store.playerHash[b] || !this.samePlayer(a, b)
    }
    const level = this.uniform ? this.level : (store.level[store.older(a, b) === this.oldest ? a : b] as number)
    for (let index = 0; index < this.ranges.length; index++) {
      const { low } = store.ranges[index] as Store['ranges'][0]
      if (Math.abs((low[a] as number) - (low[b] as number)) > (this.ranges[index]?.[level] as number)) return false
    }
    for (let index = 0; index < store.masks.length; index++) {
      const { byLevel, need } = store.masks[index] as Store['masks'][0]
      const mask = (byLevel[level] ?? byLevel[0]) as Uint16Array
      if (popcount16((mask[a] as number) & (mask[b] as number)) < (need[level] as number)) return false
    }
    if (store.bucket[a] !== store.bucket[b] && !this.keysFit(a, b, level)) return false
    if (((store.gates[a] as number) | (store.gates[b] as number)) & (this.gateBits[level] as number)) return false
    if (store.playerHash[a] === store.playerHash[b] && this.samePlayer(a, b)) return false
    return this.restFits(a, b, level)
  }

  /** Whether a ticket breaks no rule by itself as far as it has relaxed, so that it may play alone. */
  holdsAlone(slot: number): boolean {
    const { store } = this
    const level = store.level[slot] as number
    if ((store.gates[slot] as number) & (this.gateBits[level] as number)) return false
    return (
      store.masks.every(({ byLevel, need }) => {
        const mask = (byLevel[level] ?? byLevel[0]) as Uint16Array
        return popcount16(mask[slot] as number) >= (need[level] as number)
      }) &&
      store.valueRules.every(
        ({ kind, bounds, off }, index) =>
          off[level] || kind.holds(store.values[slot]?.[index] ?? [], bounds[level] as number),
      )
    )
  }

  /** The same for two places of one bucket of a view whose masks were read out. */
  fitsNearby({ masks, values, slots }: PairView, a: number, b: number): boolean {
    const common = ((masks as Uint16Array)[a] as number) & ((masks as Uint16Array)[b] as number)
    if (this.quickNeed === 1 ? common === 0 : popcount16(common) < this.quickNeed) return false
    if (Math.abs((values[a] as number) - (values[b] as number)) > this.reach) return false
    const { playerHash } = this.store
    const one = slots[a] as number
    const other = slots[b] as number
    return playerHash[one] !== playerHash[other] || !this.samePlayer(one, other)
  }

  private keysFit(a: number, b: number, level: number): boolean {
    const { store } = this
    if (store.group[a] !== store.group[b]) return false
    return store.keys.every(({ keys }, index) => {
      const ka = keys[a] as number
      const kb = keys[b] as number
      return ka === kb || ka === 0 || kb === 0 || this.keysOff[index]?.[level] === true
    })
  }

  samePlayer(a: number, b: number): boolean {
    const { tickets } = this.store
    return tickets[a]?.players[0]?.playerId === tickets[b]?.players[0]?.playerId
  }

  /** The rarer shapes: `values` and `teams`. */
  private restFits(a: number, b: number, level: number): boolean {
    const { store } = this
    for (let index = 0; index < store.valueRules.length; index++) {
      const { kind, bounds, off } = store.valueRules[index] as Store['valueRules'][0]
      if (off[level]) continue
      const both = [...(store.values[a]?.[index] ?? []), ...(store.values[b]?.[index] ?? [])]
      if (!kind.holds(both, bounds[level] as number)) return false
    }
    for (const { plan, sum, count } of store.sums) {
      if (plan.kind.shape !== 'teams' || plan.off[level] || !count[a] || !count[b]) continue
      if (!plan.kind.holds([sum[a] as number, sum[b] as number], plan.bounds[level] as number)) return false
    }
    return true
  }
}

/** By level: a set bit is a gate (or a party at odds with itself under a key rule) that still counts. */
export const gateBitsByLevel = (store: Store): number[] => {
  const rules = [...store.gateRules, ...store.keys.map((column) => column.plan)]
  return Array.from({ length: store.plan.thresholds.length + 1 }, (_, level) =>
    rules.reduce((bits, { off }, index) => (off[level] ? bits : bits | (1 << index)), 0),
  )
}
