import { first } from '../seating/subset-seating'
import type { ValidSet } from './valid-sets'

/** Number of sets of tickets that are examined between two yields of the generator. */
const SETS = 256

/**
 * Returns the choice of disjoint full matches that serves tickets by age: the oldest ticket that can be served is
 * served, then the oldest ticket that can be served beside it, and so on. Among equal choices, the function takes the
 * choice with the least total spread. `players` holds the number of players of each set of tickets. The result begins
 * with the match of the oldest ticket.
 */
export function* serveByAge(
  players: Uint16Array,
  matches: readonly ValidSet[],
  fullSize: number,
): Generator<undefined, number[], undefined> {
  if (matches.length === 0) return []
  const byOldest = Array.from({ length: 32 }, (_, oldest) => matches.filter(({ set }) => first(set) === oldest))
  // By set of tickets: the least total spread of matches that serve exactly this set, and the match with its oldest
  // ticket.
  const least = new Float64Array(players.length).fill(Number.POSITIVE_INFINITY)
  const match = new Uint16Array(players.length)
  let best = 0
  least[0] = 0
  for (let served = 1; served < players.length; served++) {
    if (served % SETS === 0) yield
    if ((players[served] as number) % fullSize !== 0) continue
    for (const { set, spread } of byOldest[first(served)] as readonly ValidSet[]) {
      if ((set & served) !== set) continue
      const sum = (least[served ^ set] as number) + spread
      if (sum >= (least[served] as number)) continue
      least[served] = sum
      match[served] = set
      if (older(served, best)) best = served
    }
  }
  const chosen: number[] = []
  for (let left = best; left > 0; left ^= match[left] as number) chosen.push(match[left] as number)
  return chosen
}

/**
 * Whether set `a` contains the oldest of the tickets that are in only one of the sets `a` and `b`. A set is a number
 * whose bits stand for tickets, oldest first.
 */
export const older = (a: number, b: number): boolean => ((a ^ b) & -(a ^ b) & a) !== 0
