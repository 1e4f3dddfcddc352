import type { TicketColumns } from '../columns/ticket-columns'
import { IntList } from '../columns/typed'
import type { OrderedIndex } from '../sorting/ordered-index'
import { collectPairs } from './collect'
import { viewOf } from './linear'
import { PairRules } from './pair-rules'
import { solvePairs } from './solve-pairs'

/**
 * Share of the pool. If more tickets than this share are new or relaxed, solving the whole pool is as cheap as finding
 * the changed parts.
 */
const WHOLE_SHARE = 1 / 2

/** Slots in order of bucket, then value, then age of their tickets; and the values of these slots. */
interface Part {
  readonly slots: Int32Array
  readonly values: Float64Array
  /** Place at which each bucket begins; the last entry is the end of the last bucket. */
  readonly runs: Int32Array
}

/** Changes of the pool since the last tick. */
export interface News {
  /**
   * `changed`: slots of the new or relaxed tickets; a slot may occur twice. `relaxed`: slots of the relaxed tickets
   * only.
   */
  readonly changed: Int32Array
  readonly relaxed: Int32Array
  /** Places (positions in the index) of the new tickets; empty where the index was sorted again from the start. */
  readonly placed: Int32Array
  /** The whole pool in sorted order, where the index was sorted again from the start; otherwise undefined. */
  readonly whole: Part | undefined
  /** Whether all waiting tickets must be examined, whatever has changed. */
  readonly everything: boolean
  /** Lowest and highest level of the waiting tickets. */
  readonly lowest: number
  readonly highest: number
}

/** Number of places (positions in the index) handled between two yields of the generator. */
const BLOCK = 1 << 15
/** Number of tickets whose neighbours are looked up between two yields of the generator. */
const LOOKUPS = 1 << 10

/**
 * Ticks a pool whose matches have two single players. The tickets that remain after a tick contain no pair. So the next
 * tick examines only the tickets that entered or relaxed since, and the tickets within reach of them.
 */
export class PairEngine {
  readonly rules: PairRules
  /** Whether the waiting tickets might still contain a pair, because a search ended at a limit. */
  private unsettled = false

  constructor(
    private readonly columns: TicketColumns,
    private readonly index: OrderedIndex,
  ) {
    this.rules = new PairRules(columns)
  }

  /**
   * Returns the pairs that become matches, as a flat list of slots. Each pair begins with its older slot, and the pairs
   * are in the order of age of their first slots.
   */
  *solve(news: News): Generator<undefined, Int32Array, undefined> {
    const { columns, rules } = this
    rules.prepare(news.lowest, news.highest)
    const affected = news.whole ?? (yield* this.affected(news))
    const part = rules.crossing ? this.inOrderOfAge(affected) : affected
    const view = viewOf(columns, part.slots, part.values, part.runs)
    yield
    yield* solvePairs(view, rules)
    this.unsettled = view.capped
    return yield* collectPairs(view)
  }

  /**
   * Sorts the buckets by their oldest tickets. Bucket numbers depend on the history of the pool; where pairs may cross
   * buckets, the order of the buckets would change the result.
   */
  private inOrderOfAge({ slots, values, runs }: Part): Part {
    const { columns } = this
    const spans: { from: number; to: number; oldest: number }[] = []
    for (let run = 0; run + 1 < runs.length; run++) {
      const from = runs[run] as number
      const to = runs[run + 1] as number
      let oldest = slots[from] as number
      for (let place = from + 1; place < to; place++) {
        if (columns.older(slots[place] as number, oldest)) oldest = slots[place] as number
      }
      spans.push({ from, to, oldest })
    }
    spans.sort((a, b) => (columns.older(a.oldest, b.oldest) ? -1 : 1))
    const ordered = {
      slots: new Int32Array(slots.length),
      values: new Float64Array(slots.length),
      runs: new Int32Array(runs.length),
    }
    let at = 0
    spans.forEach(({ from, to }, run) => {
      ordered.slots.set(slots.subarray(from, to), at)
      ordered.values.set(values.subarray(from, to), at)
      at += to - from
      ordered.runs[run + 1] = at
    })
    return ordered
  }

  /**
   * Returns the waiting slots to examine, in sorted order: the changed slots and the slots within reach of them, or all
   * slots where the reach does not narrow the search.
   */
  private *affected(news: News): Generator<undefined, Part, undefined> {
    const { columns, index, rules } = this
    const everything =
      news.everything || this.unsettled || rules.crossing || news.changed.length > index.length * WHOLE_SHARE
    const chosen = everything ? index.slots.slice(0, index.length) : yield* this.around(news)
    const values = new Float64Array(chosen.length)
    const runs = new IntList()
    let count = 0
    let bucket = -1
    for (let at = 0; at < chosen.length; at++) {
      const slot = chosen[at] as number
      if (columns.alive[slot] === 1) {
        if (columns.bucket[slot] !== bucket) runs.push(count)
        bucket = columns.bucket[slot] as number
        values[count] = columns.order[slot] as number
        chosen[count++] = slot
      }
      if (at % BLOCK === BLOCK - 1) yield
    }
    runs.push(count)
    return {
      slots: chosen.subarray(0, count),
      values: values.subarray(0, count),
      runs: runs.data.subarray(0, runs.length),
    }
  }

  private *around({ placed, relaxed }: News): Generator<undefined, Int32Array, undefined> {
    const { index } = this
    const spans: [number, number][] = []
    for (let at = 0; at < placed.length + relaxed.length; at++) {
      const place = at < placed.length ? (placed[at] as number) : index.placeOf(relaxed[at - placed.length] as number)
      const span = this.span(place)
      spans.push(span)
      if (this.columns.unordered > 0) spans.push(this.absentAfter(span[1]))
      if (at % LOOKUPS === LOOKUPS - 1) yield
    }
    spans.sort((a, b) => a[0] - b[0])
    yield
    const chosen = new IntList()
    let done = 0
    for (const [from, to] of spans) {
      for (let place = Math.max(from, done); place < to; place++) {
        chosen.push(index.slots[place] as number)
        if (chosen.length % BLOCK === 0) yield
      }
      done = Math.max(done, to)
    }
    return chosen.data.subarray(0, chosen.length)
  }

  /** Returns the places (from, to) within reach of a place, in the bucket of that place. */
  private span(place: number): [number, number] {
    const { columns, index, rules } = this
    const { slots } = index
    const slot = slots[place] as number
    const key = columns.bucket[slot]
    const value = columns.order[slot] as number
    let from = place
    // Without a value the comparison is false, so that the whole bucket counts as within reach.
    const far = (other: number) => Math.abs((columns.order[other] as number) - value) > rules.reach
    while (from > 0 && columns.bucket[slots[from - 1] as number] === key && !far(slots[from - 1] as number)) from--
    let to = place + 1
    while (to < index.length && columns.bucket[slots[to] as number] === key && !far(slots[to] as number)) to++
    return [from, to]
  }

  /**
   * Returns the places of the tickets without a value, at the end of the bucket. They are within reach of every ticket
   * of the bucket.
   */
  private absentAfter(to: number): [number, number] {
    const { columns, index } = this
    const key = columns.bucket[index.slots[to - 1] as number]
    let end = to
    while (end < index.length && columns.bucket[index.slots[end] as number] === key) end++
    let from = end
    while (from > 0 && Number.isNaN(columns.order[index.slots[from - 1] as number])) from--
    return [from, end]
  }
}
