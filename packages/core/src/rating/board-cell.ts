import { descending } from './board'
import type { Rating, Skill } from './rating'

/** Number of cells of a rating. Cell 0 has the highest skills; the first and the last cell have no other end. */
const CELLS = 512
/** Cells for one power of two at or below the initial `sigma`. */
const CELLS_OF_SIGMA = 32

type Scale = Pick<Rating, 'initial'>

/**
 * Returns the width of the cells of a rating. It never changes, because `initial` is fixed once a match was counted. It is a power of two, so
 * that dividing by it is exact and every node finds the same cell.
 */
function widthOf({ initial }: Scale): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, initial.sigma)
  const exponent = ((view.getUint16(0) >> 4) & 0x7ff) - 1023
  return 2 ** exponent / CELLS_OF_SIGMA
}

/** Returns the largest whole number of widths that is not above a value. A tiny negative value divided by the width may be -0. */
function widthsIn(value: number, width: number): number {
  const widths = Math.floor(value / width)
  return widths * width > value ? widths - 1 : widths
}

/** Returns the number of the cell below whose upper end a skill is: skills of a leaderboard, `mu` - 3 `sigma`, in steps of equal width. */
export function boardCell(rating: Scale, { mu, sigma }: Skill): number {
  const width = widthOf(rating)
  const steps = widthsIn(mu - 3 * sigma, width) - widthsIn(rating.initial.mu, width)
  return Math.min(CELLS - 1, Math.max(0, CELLS / 2 - 1 - steps))
}

/** Returns a text that is before the places of a cell (`boardPlace`), and after those of the cells before it. */
export function beginOfCell(rating: Scale, cell: number): string {
  if (cell === 0) return ''
  const width = widthOf(rating)
  const upperEnd = (widthsIn(rating.initial.mu, width) + CELLS / 2 - cell) * width
  // A skill at the upper end is in the cell before.
  return (BigInt(`0x${descending(upperEnd)}`) + 1n).toString(16).padStart(16, '0')
}
