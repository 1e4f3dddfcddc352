import type { Store } from '../store'
import { Blossom } from './blossom'
import { pairGreedily, pairGreedilyByMask } from './greedy'
import { type PairView, pairLinearly } from './linear'
import { PairGraph } from './pair-graph'
import type { PairRules } from './pair-rules'
import { regroupPairs } from './regroup'

/** Places between two yields. */
const BLOCK = 1 << 16
const SEARCHES = 64
/** Places one search may label where the rules are not those that are solved exactly; keeps a search under 0.1 ms. */
const MAX_TREE = 256

/** Whether pairs under this store's rules are solved exactly: keys, the version and at most one `difference`. */
const isExact = (store: Store): boolean =>
  store.ranges.length <= 1 &&
  store.masks.length === 0 &&
  store.gateRules.length === 0 &&
  store.valueRules.length === 0 &&
  store.plan.rules.every((rule) => rule.kind.shape !== 'teams')

/**
 * Pairs off a view: who is served goes by age, with whom by distance (design §2). The outcome for a ticket depends on the
 * tickets it is connected with by possible pairs and on nothing else, which is what lets the pool solve a part alone.
 */
export function* solvePairs(view: PairView, rules: PairRules): Generator<undefined, void, undefined> {
  const { store, count, mate } = view
  const exact = isExact(store)
  if (exact && rules.uniform && !rules.crossing && store.unordered === 0) {
    const shared: number[] = []
    for (let place = 0; place < count; ) {
      place = pairLinearly(view, rules.reach, place, Math.min(count, place + BLOCK), shared)
      yield
    }
    const exposed: number[] = []
    for (let index = 0; index < shared.length; index += 2) {
      for (let place = shared[index] as number; place < (shared[index + 1] as number); place++) exposed.push(place)
    }
    yield* serveByAge(view, rules, Int32Array.from(exposed), count * 2)
    return
  }
  if (rules.quickMask) view.masks = masksOf(view, rules.quickMask)
  for (let place = 0; place < count; ) {
    const to = Math.min(count, place + BLOCK)
    place = rules.quickMask ? pairGreedilyByMask(view, rules, place, to) : pairGreedily(view, rules, place, to)
    yield
  }
  let left = 0
  for (let place = 0; place < count; place++) if (mate[place] === -1) left++
  const exposed = new Int32Array(left)
  for (let place = count - 1; place >= 0; place--) if (mate[place] === -1) exposed[--left] = place
  yield* serveByAge(view, rules, exposed, exact ? count * 2 : MAX_TREE)
  regroupPairs(view, rules)
}

const masksOf = ({ slots, count }: PairView, masks: Uint16Array): Uint16Array => {
  const inOrder = new Uint16Array(count)
  for (let place = 0; place < count; place++) inOrder[place] = masks[slots[place] as number] as number
  return inOrder
}

const sortByAge = ({ store, slots }: PairView, places: Int32Array): void => {
  if (!store.slotsByAge) {
    places.sort((a, b) => (store.older(slots[a] as number, slots[b] as number) ? -1 : 1))
    return
  }
  // A sort of plain numbers is many times faster than one that asks back.
  const placeOf = new Int32Array(store.high)
  for (let index = 0; index < places.length; index++) {
    const place = places[index] as number
    placeOf[slots[place] as number] = place
    places[index] = slots[place] as number
  }
  places.sort()
  for (let index = 0; index < places.length; index++) places[index] = placeOf[places[index] as number] as number
}

function* serveByAge(
  view: PairView,
  rules: PairRules,
  exposed: Int32Array,
  limit: number,
): Generator<undefined, void, undefined> {
  if (exposed.length === 0) return
  const { mate } = view
  sortByAge(view, exposed)
  const graph = new PairGraph(view, rules)
  const blossom = new Blossom(view, graph)
  for (let index = 0; index < exposed.length; index++) {
    const root = exposed[index] as number
    if (mate[root] === -1) {
      const left = blossom.serve(root, limit)
      // Whoever gave way may have a free partner next door, where a bound cut the search short.
      if (left !== -1 && left !== root && limit === MAX_TREE) blossom.befriend(left)
    }
    if (index % SEARCHES === SEARCHES - 1) yield
  }
}
