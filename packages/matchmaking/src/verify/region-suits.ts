import type { MatchFormat } from '../config/match-format'
import { ALL_REGIONS, REGION_CODES, regionMask } from '../rules/region-mask'
import type { TicketPlayer } from '../types'

type State = TicketPlayer['state']

/**
 * Whether newcomers can play where a match is played: its region is in each one's list, and within the bound of everybody,
 * those who play included, who has measured pings. `bit` is the region's.
 */
export const regionSuits = (
  format: MatchFormat,
  level: number,
  bit: number,
  playing: readonly State[],
  joining: readonly State[],
): boolean =>
  format.rules.every(({ rule, kind, bounds, off }) => {
    if (off[level] || (kind.shape !== 'mask' && kind.shape !== 'ceiling')) return true
    const judged = kind.shape === 'mask' ? joining : [...playing, ...joining]
    return judged.every((state) => {
      const value = kind.read(state, rule) ?? ALL_REGIONS
      const mask = typeof value === 'number' ? value : within(value as readonly number[], bounds[level] as number)
      return (mask & bit) !== 0
    })
  })

const within = (pings: readonly number[], bound: number): number =>
  regionMask(REGION_CODES.filter((_, index) => (pings[index] as number) <= bound))
