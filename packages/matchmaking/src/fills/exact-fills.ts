import { older } from '../groups/serve-by-age'

/** Most parties for which all combinations of fills are examined. */
export const MAX_EXACT_PARTIES = 12
/** Most pairs of partial choices that the search compares for one request. */
const MAX_LOOKS = 100_000

/** A set of parties that may join one match together, as bits: bit 0 is the oldest party. */
export interface FillSet {
  readonly set: number
  readonly players: number
}

/**
 * Chooses at most one fill for each request, so that no party joins two matches. The oldest request gets the number of
 * seats filled that its set with the oldest parties fills. The second oldest request gets the number of its set with
 * the oldest parties among the choices that keep the first number, and so on. Among the remaining choices, the function
 * takes the choice that serves the oldest parties first. `fills` holds the possible fills of each request, the oldest
 * request first; the fills of one request begin with the sets of its oldest parties. Returns the chosen set of each
 * request, 0 for no fill; undefined where the search ended at a limit.
 */
export function* exactFills(
  fills: readonly (readonly FillSet[])[],
): Generator<undefined, readonly number[] | undefined, undefined> {
  /** By request: the sets of parties that this request and all older requests can take together. */
  const taken: Set<number>[] = []
  const sizes: number[] = []
  let before = new Set([0])
  for (const own of fills) {
    if (before.size * own.length > MAX_LOOKS) return undefined
    const all = [...before]
    const best = own.find(({ set }) => all.some((others) => (others & set) === 0))
    const after = new Set<number>(best ? [] : all)
    for (const { set, players } of own) {
      if (players !== best?.players) continue
      for (const others of all) if ((others & set) === 0) after.add(others | set)
    }
    taken.push(after)
    sizes.push(best?.players ?? 0)
    before = after
    yield
  }
  let left = [...before].reduce((best, set) => (older(set, best) ? set : best))
  // The loop gives the youngest request the youngest parties.
  const chosen = fills.map(() => 0)
  for (let request = fills.length - 1; request >= 0; request--) {
    const rest = taken[request - 1] ?? new Set([0])
    const own = fills[request]?.findLast(
      ({ set, players }) => players === sizes[request] && (set & left) === set && rest.has(left ^ set),
    )
    chosen[request] = own?.set ?? 0
    left ^= own?.set ?? 0
  }
  return chosen
}
