/** Most steps of one search; then it returns the most even division so far. Matches of up to twenty parties need far fewer steps. */
const MAX_STEPS = 20_000

/**
 * Measure of how uneven the sizes of teams are. The difference between the largest and the smallest team counts first, then the sum of
 * squares.
 */
export interface Unevenness {
  readonly difference: number
  readonly squares: number
}

/** Returns the unevenness of teams with these sizes. */
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

/** A division of parties over teams: its unevenness, and the team of each party. Without `teamOf` only the
 * unevenness is known: another division must be more even. */
export interface EvenDivision extends Unevenness {
  readonly teamOf?: readonly number[]
}

/**
 * Returns the most even division of parties over `teams` teams of `least` to `most` players; `loosest` when no division is more even than
 * that. `parties` are sizes, the largest first.
 */
export function leastUneven(
  parties: readonly number[],
  teams: number,
  least: number,
  most: number,
  loosest: Unevenness,
): EvenDivision {
  const total = parties.reduce((sum, size) => sum + size, 0)
  const rooms = new Array<number>(teams).fill(0)
  // No division is more even than one whose team sizes differ by at most one player.
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
    // The emptiest team is tried first, so that an even division is found early. Of teams with equal sizes only one is tried.
    const order = [...rooms.keys()].sort((a, b) => (rooms[a] as number) - (rooms[b] as number))
    let before = -1
    for (const team of order) {
      const room = rooms[team] as number
      if (room === before || room + size > most) continue
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
