import { boundsByLevel, gateBitsByLevel } from '../pairs/pair-rules'
import { popcount16 } from '../region-mask'
import type { Store } from '../store'

/** Whether two parties could be in one match at a given level, by what can be told from the two of them. */
export class PairRulesAt {
  private readonly ranges: readonly number[][]
  private readonly gateBits: readonly number[]
  private readonly keysOff: readonly (readonly boolean[])[]
  private readonly newest: boolean

  constructor(private readonly store: Store) {
    this.ranges = store.ranges.map((column) => boundsByLevel(column.plan.bounds, column.plan.off))
    this.gateBits = gateBitsByLevel(store)
    this.keysOff = store.keys.map((column) => column.plan.off)
    this.newest = store.plan.ageOf === 'newest'
  }

  fits(a: number, b: number, level: number): boolean {
    const { store } = this
    // Under `newest` a match has what all of its tickets have earned.
    if (this.newest && (store.level[b] as number) < level) return false
    for (let rule = 0; rule < this.ranges.length; rule++) {
      const { low, high } = store.ranges[rule] as Store['ranges'][0]
      const bound = this.ranges[rule]?.[level] as number
      if ((high[a] as number) - (low[b] as number) > bound || (high[b] as number) - (low[a] as number) > bound)
        return false
    }
    for (let rule = 0; rule < store.masks.length; rule++) {
      const { byLevel, need } = store.masks[rule] as Store['masks'][0]
      const column = (byLevel[level] ?? byLevel[0]) as Uint16Array
      const least = need[level] as number
      const shared = (column[a] as number) & (column[b] as number)
      if (least === 1 ? shared === 0 : popcount16(shared) < least) return false
    }
    if (((store.gates[a] as number) | (store.gates[b] as number)) & (this.gateBits[level] as number)) return false
    if (store.bucket[a] === store.bucket[b]) return true
    if (store.group[a] !== store.group[b]) return false
    for (let rule = 0; rule < store.keys.length; rule++) {
      const { keys } = store.keys[rule] as Store['keys'][0]
      const ka = keys[a] as number
      const kb = keys[b] as number
      if (ka !== kb && ka !== 0 && kb !== 0 && !this.keysOff[rule]?.[level]) return false
    }
    return true
  }
}
