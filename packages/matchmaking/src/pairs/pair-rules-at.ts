import type { LevelBounds } from '../columns/level-bounds'
import type { TicketColumns } from '../columns/ticket-columns'
import { popcount16 } from '../rules/region-mask'

/** Decides whether two parties could be in one match at a given level, from the values of these parties alone. */
export class PairRulesAt {
  private readonly levels: LevelBounds
  private readonly newest: boolean

  constructor(private readonly columns: TicketColumns) {
    this.levels = columns.levels
    this.newest = columns.format.ageOf === 'newest'
  }

  fits(a: number, b: number, level: number): boolean {
    // With the setting `newest`, every ticket of a match must have reached the level of the match.
    if (this.newest && (this.columns.level[b] as number) < level) return false
    return this.agree(a, b, level)
  }

  /** Whether the values of parties `a` and `b` keep the rules of a level, whatever the level of party `b`. */
  agree(a: number, b: number, level: number): boolean {
    const { columns } = this
    for (let rule = 0; rule < this.levels.ranges.length; rule++) {
      const { low, high } = columns.ranges[rule] as TicketColumns['ranges'][0]
      const bound = this.levels.ranges[rule]?.[level] as number
      if ((high[a] as number) - (low[b] as number) > bound || (high[b] as number) - (low[a] as number) > bound)
        return false
    }
    for (let rule = 0; rule < columns.masks.length; rule++) {
      const { byLevel, need } = columns.masks[rule] as TicketColumns['masks'][0]
      const column = (byLevel[level] ?? byLevel[0]) as Uint16Array
      const least = need[level] as number
      const shared = (column[a] as number) & (column[b] as number)
      if (least === 1 ? shared === 0 : popcount16(shared) < least) return false
    }
    if (((columns.gates[a] as number) | (columns.gates[b] as number)) & (this.levels.gateBits[level] as number))
      return false
    if (columns.bucket[a] !== columns.bucket[b] && !this.keysFit(a, b, level)) return false
    return columns.apart.length === 0 || !columns.parts(a, b, level)
  }

  /** Whether the versions of two parties are equal, and their values for the `key` rules fit at a level. */
  keysFit(a: number, b: number, level: number): boolean {
    const { columns } = this
    if (columns.group[a] !== columns.group[b]) return false
    for (let rule = 0; rule < columns.keys.length; rule++) {
      const { keys } = columns.keys[rule] as TicketColumns['keys'][0]
      const ka = keys[a] as number
      const kb = keys[b] as number
      if (ka !== kb && ka !== 0 && kb !== 0 && !this.levels.keysOff[rule]?.[level]) return false
    }
    return true
  }
}
