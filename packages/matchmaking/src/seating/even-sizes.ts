/** Steps of one search; past them the most even division found so far is taken. Matches of up to twenty parties never come near. */
const MAX_STEPS = 20_000

/** How uneven teams are. First the difference between the largest and the smallest counts, then the sum of squares. */
export interface Unevenness {
  readonly difference: number
  readonly squares: number
}

/** Returns the unevenness of teams of these sizes. */
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

/** Returns a negative number where `a` is more even than `b`, and 0 where neither is. */
export const compareUnevenness = (a: Unevenness, b: Unevenness): number =>
  a.difference - b.difference || a.squares - b.squares

/** How uneven teams may be, or are; then with the team of each party. */
export interface EvenDivision extends Unevenness {
  readonly teamOf?: readonly number[]
}

/**
 * Returns the least uneven division of parties of these sizes, largest first, over `teams` teams of `least` to `most` players;
 * `loosest` where none was found that is more even.
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
  // No division is more even than one in which sizes differ by one at most.
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
    // The emptiest first, so that an even division is found early. Teams filled alike are alike.
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
