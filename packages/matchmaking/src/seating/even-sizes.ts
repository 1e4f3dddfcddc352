import { type Clashes, mayJoin } from './team-clashes'

/**
 * Most steps of one search. After that the search returns the most even division so far. Matches of up to twenty
 * parties need far fewer steps.
 */
const MAX_STEPS = 20_000

/**
 * Measure of the differences between the sizes of teams. The difference between the largest and the smallest team is
 * compared first, then the sum of the squares of the sizes.
 */
export interface Unevenness {
  readonly difference: number
  readonly squares: number
}

/** Returns the measure of how uneven teams with these sizes are. */
export function unevennessOf(sizes: ArrayLike<number>): Unevenness {
  let [least, most, squares] = [Number.POSITIVE_INFINITY, 0, 0]
  for (let team = 0; team < sizes.length; team++) {
    const size = sizes[team] as number
    if (size < least) least = size
    if (size > most) most = size
    squares += size * size
  }
  return { difference: most - least, squares }
}

/** Compares two measures: negative when `a` is more even than `b`, 0 when they are equal. */
export const compareUnevenness = (a: Unevenness, b: Unevenness): number =>
  a.difference - b.difference || a.squares - b.squares

/**
 * A division of parties over teams: its unevenness, and the team of each party. Without `teamOf` only the unevenness is
 * set: it is a limit, and a division that is found must be more even.
 */
export interface EvenDivision extends Unevenness {
  readonly teamOf?: readonly number[]
}

/**
 * Returns the most even division of parties over `teams` teams of `least` to `most` players; `loosest` when no division
 * is more even than `loosest`. `parties` are the sizes of the parties, the largest first; parties that clash are in
 * different teams.
 */
export function leastUneven(
  parties: readonly number[],
  teams: number,
  least: number,
  most: number,
  loosest: Unevenness,
  clashes?: Clashes,
): EvenDivision {
  const total = parties.reduce((sum, size) => sum + size, 0)
  const rooms = new Array<number>(teams).fill(0)
  // A division whose team sizes differ by at most one player is as even as possible.
  const ideal = total % teams === 0 ? 0 : 1
  const teamOf: number[] = []
  let best: EvenDivision = loosest
  let steps = 0
  const place = (index: number): void => {
    if (steps++ > MAX_STEPS || (best.teamOf && best.difference === ideal)) return
    const size = parties[index]
    if (size === undefined) {
      if (rooms.some((room) => room < least)) return
      const found = unevennessOf(rooms)
      if (compareUnevenness(found, best) < 0) best = { ...found, teamOf: [...teamOf] }
      return
    }
    // The search tries the emptiest team first, so that it finds an even division early. Of teams with equal sizes it
    // tries only one, unless a party must not be in one of them.
    const order = [...rooms.keys()].sort((a, b) => (rooms[a] as number) - (rooms[b] as number))
    let before = -1
    for (const team of order) {
      const room = rooms[team] as number
      if ((room === before && (room === 0 || !clashes)) || room + size > most) continue
      if (!mayJoin(clashes, index, team, teamOf, index)) continue
      before = room
      rooms[team] = room + size
      teamOf[index] = team
      place(index + 1)
      rooms[team] = room
    }
  }
  place(0)
  return best
}
