import type { OrderedIndex } from '../ordered-index'
import type { Store } from '../store'
import type { PairView } from './linear'
import { PairRules } from './pair-rules'
import { solvePairs } from './solve-pairs'

/** Past this share of the pool, solving all of it is as cheap as finding out which part has changed. */
const WHOLE_SHARE = 1 / 2

/** Slots by (bucket, value, age) and their values. */
interface Part {
  readonly slots: Int32Array
  readonly values: Float64Array
}

/**
 * Ticks a pool of pairs. What a tick leaves over holds no pair, so the next one only looks at the tickets that came or
 * relaxed since, and those within reach of them.
 */
export class PairEngine {
  readonly rules: PairRules
  /** Whether what waits in the index might still hold a pair. */
  private unsettled = false

  constructor(
    private readonly store: Store,
    private readonly index: OrderedIndex,
  ) {
    this.rules = new PairRules(store)
  }

  /** The pairs of slots to be matched, flat, the older one first; `changed` are the slots that came or relaxed. */
  *solve(
    changed: Int32Array,
    whole: Part | undefined,
    lowest: number,
    highest: number,
  ): Generator<undefined, Int32Array, undefined> {
    const { store, rules } = this
    rules.prepare(lowest, highest)
    const affected = whole ?? this.affected(changed)
    const part = rules.crossing ? this.inOrderOfAge(affected) : affected
    const count = part.slots.length
    const view: PairView = {
      store,
      ...part,
      count,
      mate: new Int32Array(count).fill(-1),
      masks: undefined,
      capped: false,
    }
    yield
    yield* solvePairs(view, rules)
    this.unsettled = view.capped
    return this.collect(view)
  }

  /**
   * Buckets are numbered as they come up, which is history. Where pairs may cross them, their order matters, so it is made
   * that of their oldest tickets.
   */
  private inOrderOfAge({ slots, values }: Part): Part {
    const { store } = this
    const runs: { from: number; to: number; oldest: number }[] = []
    for (let place = 0; place < slots.length; ) {
      const from = place
      const key = store.bucket[slots[place] as number]
      let oldest = slots[place] as number
      for (; place < slots.length && store.bucket[slots[place] as number] === key; place++) {
        if (store.older(slots[place] as number, oldest)) oldest = slots[place] as number
      }
      runs.push({ from, to: place, oldest })
    }
    runs.sort((a, b) => (store.older(a.oldest, b.oldest) ? -1 : 1))
    const ordered = { slots: new Int32Array(slots.length), values: new Float64Array(slots.length) }
    let at = 0
    for (const { from, to } of runs) {
      ordered.slots.set(slots.subarray(from, to), at)
      ordered.values.set(values.subarray(from, to), at)
      at += to - from
    }
    return ordered
  }

  /** The changed slots and every waiting one within reach of them, in order. */
  private affected(changed: Int32Array): Part {
    const { store, index, rules } = this
    const everything = this.unsettled || rules.crossing || changed.length > index.length * WHOLE_SHARE
    const chosen = everything ? index.slots.slice(0, index.length) : this.around(changed)
    let count = 0
    for (const slot of chosen) if (store.alive[slot] === 1) chosen[count++] = slot
    const slots = chosen.subarray(0, count)
    const values = new Float64Array(count)
    for (let place = 0; place < count; place++) values[place] = store.order[slots[place] as number] as number
    return { slots, values }
  }

  private around(changed: Int32Array): Int32Array {
    const { index } = this
    const spans = Array.from(changed, (slot) => this.span(index.placeOf(slot)))
    if (this.store.unordered > 0) spans.push(...spans.map(([, to]) => this.absentAfter(to)))
    spans.sort((a, b) => a[0] - b[0])
    const chosen: number[] = []
    let done = 0
    for (const [from, to] of spans) {
      for (let place = Math.max(from, done); place < to; place++) chosen.push(index.slots[place] as number)
      done = Math.max(done, to)
    }
    return Int32Array.from(chosen)
  }

  /** The places within reach of one place, of its own bucket. */
  private span(place: number): [number, number] {
    const { store, index, rules } = this
    const { slots } = index
    const slot = slots[place] as number
    const key = store.bucket[slot]
    const value = store.order[slot] as number
    let from = place
    // An absent value is at no distance from anything: the comparison fails, and the whole bucket is taken.
    const far = (other: number) => Math.abs((store.order[other] as number) - value) > rules.reach
    while (from > 0 && store.bucket[slots[from - 1] as number] === key && !far(slots[from - 1] as number)) from--
    let to = place + 1
    while (to < index.length && store.bucket[slots[to] as number] === key && !far(slots[to] as number)) to++
    return [from, to]
  }

  /** The tickets without a value, which are within reach of everyone in their bucket, stand at its end. */
  private absentAfter(to: number): [number, number] {
    const { store, index } = this
    const key = store.bucket[index.slots[to - 1] as number]
    let end = to
    while (end < index.length && store.bucket[index.slots[end] as number] === key) end++
    let from = end
    while (from > 0 && Number.isNaN(store.order[index.slots[from - 1] as number])) from--
    return [from, end]
  }

  private collect({ slots, mate, count }: PairView): Int32Array {
    const { store } = this
    const pairs = new Int32Array(count)
    let length = 0
    for (let place = 0; place < count; place++) {
      const partner = mate[place] as number
      if (partner < place) continue
      const a = slots[place] as number
      const b = slots[partner] as number
      const first = store.slotsByAge ? a < b : store.older(a, b)
      pairs[length++] = first ? a : b
      pairs[length++] = first ? b : a
    }
    return pairs.subarray(0, length)
  }
}
