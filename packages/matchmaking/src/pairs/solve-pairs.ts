import type { TicketColumns } from '../columns/ticket-columns'
import { IntList } from '../columns/typed'
import { mergeSort } from '../sorting/merge-sort'
import { Blossom } from './blossom'
import { GreedySweep } from './greedy'
import { LinearSweep, type PairView } from './linear'
import { PairGraph } from './pair-graph'
import type { PairRules } from './pair-rules'
import { regroupPairs } from './uncross'

/** Number of places (positions in the view) that are handled between two yields of the generator. */
const BLOCK = 1 << 14
/** Number of searches between two yields. One search labels up to `MAX_TREE` places and examines their neighbours. */
const SEARCHES = 4
/**
 * Most places that one search labels, where pairs under these rules cannot be solved exactly; this keeps a search below
 * 0.1 ms.
 */
const MAX_TREE = 256

/**
 * Whether pairs under these rules are solved exactly: the queue has only `equals` rules, the version, and at most one
 * `difference` rule.
 */
const isExact = (columns: TicketColumns): boolean =>
  columns.ranges.length <= 1 &&
  columns.masks.length === 0 &&
  columns.gateRules.length === 0 &&
  columns.valueRules.length === 0 &&
  columns.apart.length === 0 &&
  columns.format.rules.every((rule) => rule.kind.shape !== 'teams')

/**
 * Pairs the slots of a view. Age decides which tickets are served, and distance decides which partner each of them gets
 * (`docs/matchmaking.md`, "Who meets whom"). The result for a ticket depends only on the tickets that are connected
 * with it by possible pairs. So a part of the pool can be solved separately.
 */
export function* solvePairs(view: PairView, rules: PairRules): Generator<undefined, void, undefined> {
  const { columns, count } = view
  const exact = isExact(columns)
  if (exact && rules.uniform && !rules.crossing && columns.unordered === 0) {
    const shared: number[] = []
    const sweep = new LinearSweep(view, rules.reach, shared)
    while (sweep.advance(BLOCK)) yield
    yield
    const exposed: number[] = []
    for (let index = 0; index < shared.length; index += 2) {
      for (let place = shared[index] as number; place < (shared[index + 1] as number); place++) exposed.push(place)
    }
    yield* serveByAge(view, rules, Int32Array.from(exposed), count * 2)
    return
  }
  if (rules.quickMask) view.masks = yield* masksOf(view, rules.quickMask)
  const sweep = new GreedySweep(view, rules)
  while (sweep.advance(BLOCK)) yield
  yield
  const exposed = yield* leftOver(view, rules)
  yield* serveByAge(view, rules, exposed, exact ? count * 2 : MAX_TREE)
  yield* regroupPairs(view, rules)
}

/**
 * Returns the places without a partner that may still get a partner. Normally, a bucket in which the sweep made no pair
 * has no such place. This does not hold when the sweep ended at a limit, when pairs may hold tickets of different
 * buckets, or when tickets lack a value.
 */
function* leftOver(view: PairView, rules: PairRules): Generator<undefined, Int32Array, undefined> {
  const { columns, runs, mate } = view
  const everywhere = view.capped || rules.crossing || columns.unordered > 0
  const left = new IntList()
  let looked = 0
  for (let run = 0; run + 1 < runs.length; run++) {
    const before = left.length
    const from = runs[run] as number
    const to = runs[run + 1] as number
    for (let place = from; place < to; place += BLOCK) {
      const until = Math.min(to, place + BLOCK)
      collectFree(mate, place, until, left)
      looked += until - place
      if (looked >= BLOCK) {
        looked = 0
        yield
      }
    }
    if (!everywhere && left.length - before === to - from) left.length = before
  }
  return left.data.slice(0, left.length)
}

const collectFree = (mate: Int32Array, from: number, to: number, into: IntList): void => {
  for (let place = from; place < to; place++) if (mate[place] === -1) into.push(place)
}

function* masksOf({ slots, count }: PairView, masks: Uint16Array): Generator<undefined, Uint16Array, undefined> {
  const inOrder = new Uint16Array(count)
  for (let from = 0; from < count; from += BLOCK) {
    readMasks(slots, masks, inOrder, from, Math.min(count, from + BLOCK))
    yield
  }
  return inOrder
}

const readMasks = (slots: Int32Array, masks: Uint16Array, inOrder: Uint16Array, from: number, to: number): void => {
  for (let place = from; place < to; place++) inOrder[place] = masks[slots[place] as number] as number
}

function* sortByAge({ columns, slots }: PairView, places: Int32Array): Generator<undefined, void, undefined> {
  if (!columns.slotsByAge || places.length < columns.high / 16) {
    yield* mergeSort(places, (a, b) => columns.older(slots[a] as number, slots[b] as number))
    return
  }
  /** By slot: the place of the slot, plus 1. The order of the slots is the order of age. */
  const placeOf = new Int32Array(columns.high)
  for (const place of places) placeOf[slots[place] as number] = place + 1
  yield
  for (let slot = 0, length = 0; slot < columns.high; slot++) {
    const place = placeOf[slot] as number
    if (place > 0) places[length++] = place - 1
    if (slot % BLOCK === BLOCK - 1) yield
  }
}

function* serveByAge(
  view: PairView,
  rules: PairRules,
  exposed: Int32Array,
  limit: number,
): Generator<undefined, void, undefined> {
  if (exposed.length === 0) return
  const { mate } = view
  yield* sortByAge(view, exposed)
  const graph = new PairGraph(view, rules)
  const blossom = new Blossom(view, graph)
  for (let index = 0; index < exposed.length; index++) {
    const root = exposed[index] as number
    if (mate[root] === -1) {
      const left = blossom.serve(root, limit)
      // The ticket that lost its partner may have a free partner nearby, which the bounded search did not reach.
      if (left !== -1 && left !== root && limit === MAX_TREE) blossom.befriend(left)
    }
    if (index % SEARCHES === SEARCHES - 1) yield
  }
}
