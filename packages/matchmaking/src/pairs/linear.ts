import type { TicketColumns } from '../columns/ticket-columns'

/** The sorted slots to be paired, and the pairs. */
export interface PairView {
  readonly columns: TicketColumns
  /** Slots by (bucket, value, age). */
  readonly slots: Int32Array
  readonly values: Float64Array
  readonly count: number
  /** Where each bucket begins, and where the last one ends. */
  readonly runs: Int32Array
  /** By place: the partner's place, or −1. */
  readonly mate: Int32Array
  /** By place, in the common case of one mask: the mask, so that a sweep reads memory in order. */
  masks: Uint16Array | undefined
  /** Set when a bound cut the search short, so that what is left may still hold a pair. */
  capped: boolean
}

/** Nobody is paired yet. */
export const viewOf = (
  columns: TicketColumns,
  slots: Int32Array,
  values: Float64Array,
  runs: Int32Array,
): PairView => ({
  columns,
  slots,
  values,
  count: slots.length,
  runs,
  mate: new Int32Array(slots.length).fill(-1),
  masks: undefined,
  capped: false,
})

/**
 * Pairs a view under one `difference` bound (`reach`) alone, in one sweep, exactly.
 *
 * Neighbours in sorted order no further apart than the bound form runs. A run of even length is paired off neighbour by
 * neighbour. From a run of odd length exactly one ticket stays: a place of even number (from 0) always may, one of odd number
 * may where its two neighbours fit each other; it is the youngest of those. That serves by age, serves the most, and leaves
 * the least spread (consecutive chunks in sorted order).
 *
 * The places (from, to) of runs where a pair turned out to share a player go to `shared`; they are left unpaired for the
 * general search. A run may be as long as the view, so each of the three steps over one can be left and gone on with.
 */
export class LinearSweep {
  private bucket = 0
  private start = 0
  private end = 0
  /** The youngest that may stay, of those looked at so far. */
  private youngest = 0
  /** How far the run has been measured, searched for who stays, or paired. */
  private at = 0
  private doubled = false
  private step: 'measure' | 'search' | 'pair' = 'measure'

  constructor(
    private readonly view: PairView,
    private readonly reach: number,
    private readonly shared: number[],
  ) {}

  /** Goes on for about `steps` places; whether there are more. */
  advance(steps: number): boolean {
    let left = steps
    while (left > 0 && this.start < this.view.count) {
      const before = this.at
      if (this.step === 'measure') this.measure(before + left)
      else if (this.step === 'search') this.search(before + left)
      else this.pair(before + left)
      left -= Math.max(1, Math.abs(this.at - before))
    }
    return this.start < this.view.count
  }

  private measure(until: number): void {
    const { values, runs } = this.view
    while ((runs[this.bucket + 1] as number) <= this.start) this.bucket++
    const most = runs[this.bucket + 1] as number
    const to = Math.min(most, until)
    let end = Math.max(this.at, this.start + 1)
    while (end < to && (values[end] as number) - (values[end - 1] as number) <= this.reach) end++
    this.at = end
    if (end === until && end < most) return
    this.end = end
    this.youngest = (end - this.start) % 2 === 0 ? end : this.start
    this.step = this.youngest === end ? 'pair' : 'search'
    this.at = this.start
  }

  private search(until: number): void {
    const { columns, slots, values } = this.view
    const { start, reach } = this
    const to = Math.min(this.end, until)
    let { youngest } = this
    for (let place = Math.max(this.at, start + 1); place < to; place++) {
      const odd = ((place - start) & 1) === 1
      if (odd && (values[place + 1] as number) - (values[place - 1] as number) > reach) continue
      const a = slots[youngest] as number
      const b = slots[place] as number
      if (columns.slotsByAge ? a < b : columns.older(a, b)) youngest = place
    }
    this.youngest = youngest
    this.at = to
    if (to < this.end) return
    this.step = 'pair'
    this.at = start
  }

  private pair(until: number): void {
    const { columns, slots, mate } = this.view
    const { playerHash } = columns
    const { end, youngest } = this
    const to = Math.min(end, until)
    let a = this.at
    while (a < to) {
      if (a === youngest) {
        a++
        continue
      }
      const b = a + 1 === youngest ? a + 2 : a + 1
      mate[a] = b
      mate[b] = a
      if (playerHash[slots[a] as number] === playerHash[slots[b] as number]) this.doubled = true
      a = b + 1
    }
    this.at = a
    if (a < end) return
    if (this.doubled) {
      mate.fill(-1, this.start, end)
      this.shared.push(this.start, end)
      this.doubled = false
    }
    this.start = end
    this.at = end
    this.step = 'measure'
  }
}
