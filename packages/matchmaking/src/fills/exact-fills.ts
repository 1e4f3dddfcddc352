import { older } from '../groups/serve-by-age'

/** Parties up to which the choice among all fills is looked at. */
export const MAX_EXACT_PARTIES = 12
/** Fills put beside each other for one request. */
const MAX_LOOKS = 100_000

/** Parties, as bits by age, that may join one match together. */
export interface FillSet {
  readonly set: number
  readonly players: number
}

/**
 * Chooses one fill for each request, or none, so that nobody joins twice. The oldest request has as many seats filled as its oldest parties
 * fill, then the second among the choices that keep the first's number, and so on; of all such choices the one that serves the parties by age.
 * `fills` are by request, oldest first, each with those of the oldest parties first. By request: its set, 0 for none; undefined where there is
 * too much to look at.
 */
export function* exactFills(
  fills: readonly (readonly FillSet[])[],
): Generator<undefined, readonly number[] | undefined, undefined> {
  /** By request: the sets of parties that it and those before can take together. */
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
  // The youngest request is left with the youngest parties.
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
