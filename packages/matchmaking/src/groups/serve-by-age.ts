import { first } from '../seating/subset-seating'
import type { ValidSet } from './valid-sets'

/** Sets of tickets looked at between two yields. */
const SETS = 256

/**
 * The choice of full matches, no two of them of one ticket, that serves by age: the oldest ticket that can be served is, then
 * the oldest that can be served beside it, and so on. Of the choices that serve the same, the one of the least total spread.
 * `players` is by set of tickets. Older matches first.
 */
export function* serveByAge(
  players: Uint16Array,
  matches: readonly ValidSet[],
  fullSize: number,
): Generator<undefined, number[], undefined> {
  if (matches.length === 0) return []
  const byOldest = Array.from({ length: 32 }, (_, oldest) => matches.filter(({ set }) => first(set) === oldest))
  // By the set of tickets served: the least spread of matches that serve exactly these, and the match with its oldest ticket.
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

/** Whether the first set of tickets holds the oldest of those that are in one of the two alone. */
export const older = (a: number, b: number): boolean => ((a ^ b) & -(a ^ b) & a) !== 0
