import type { TicketColumns } from '../columns/ticket-columns'

/**
 * A view: sorted slots of tickets to be paired, and the pairs found so far. The place of a ticket is its position in
 * `slots`.
 */
export interface PairView {
  readonly columns: TicketColumns
  /** Slots in order of bucket, then value, then age of their tickets. */
  readonly slots: Int32Array
  readonly values: Float64Array
  readonly count: number
  /** Place at which each bucket begins; the last entry is the end of the last bucket. */
  readonly runs: Int32Array
  /** By place: the place of the ticket's partner; −1 for a ticket without a partner. */
  readonly mate: Int32Array
  /**
   * By place, in the common case of one mask (see `PairRules.quickMask`): the mask, copied so that a sweep reads memory
   * in order.
   */
  masks: Uint16Array | undefined
  /** Whether a search ended at a limit, so that the remaining tickets may still contain a pair. */
  capped: boolean
}

/** Returns a view in which no place has a partner. */
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
 * Pairs a view whose only bound is one `difference` (`reach`), exactly, in one sweep over the sorted places.
 * Consecutive places that are no further apart than `reach` form a run. In a run of even length each ticket is paired
 * with its neighbour. In a run of odd length exactly one ticket stays without a partner. A place at an even distance
 * from the start of the run can stay; a place at an odd distance can stay when its two neighbours fit each other. Of
 * the tickets that can stay, the sweep leaves the youngest. The result serves tickets by age, serves the largest number
 * of tickets, and has the least spread. When two tickets of a pair share a player, the run is added to `shared` as
 * (from, to) and stays unpaired for the general search. A run may be as long as the view, so each of its three steps
 * can be interrupted and continued.
 */
export class LinearSweep {
  private bucket = 0
  private start = 0
  private end = 0
  /** Place of the youngest ticket examined so far that can stay without a partner. */
  private youngest = 0
  /** Place up to which the current step has handled the run. */
  private at = 0
  private doubled = false
  private step: 'measure' | 'search' | 'pair' = 'measure'

  constructor(
    private readonly view: PairView,
    private readonly reach: number,
    private readonly shared: number[],
  ) {}

  /** Handles about `steps` places; returns whether further places remain. */
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
