import type { TicketColumns } from '../columns/ticket-columns'

/**
 * A part of the pool that is solved separately: one bucket, or one group where matches may hold tickets of several
 * buckets. Its tickets are sorted by value, those without a value last; the place of a ticket is its position in this
 * order. Links between the places of unserved tickets skip the places of served tickets.
 */
export class Unit {
  /** By place: the slot of the ticket, in order of value, then age. */
  readonly slots: Int32Array
  /** The places of the tickets, in order of age. */
  readonly byAge: Int32Array
  private readonly next: Int32Array
  private readonly previous: Int32Array
  readonly served: Uint8Array
  /** First place whose ticket has no value; equal to `count` when every ticket has a value. */
  readonly present: number
  /** Whether every ticket has one player. */
  readonly alone: boolean
  readonly sameLevel: boolean
  private readonly values = new Map<Int32Array, readonly number[]>()

  constructor(
    readonly columns: TicketColumns,
    slots: Int32Array,
  ) {
    const count = slots.length
    this.slots = slots
    this.byAge = Int32Array.from({ length: count }, (_, place) => place)
    this.byAge.sort((a, b) => (columns.older(slots[a] as number, slots[b] as number) ? -1 : 1))
    this.next = Int32Array.from({ length: count }, (_, place) => place + 1)
    this.previous = Int32Array.from({ length: count }, (_, place) => place - 1)
    this.served = new Uint8Array(count)
    let present = count
    while (present > 0 && Number.isNaN(columns.order[slots[present - 1] as number])) present--
    this.present = present
    this.alone = slots.every((slot) => columns.players[slot] === 1)
    this.sameLevel = slots.every((slot) => columns.level[slot] === columns.level[slots[0] as number])
  }

  /**
   * Returns the different values of a key column in the unit, in the order of their longest-waiting tickets. The value
   * 0 ("no value") is returned only when it is the only value.
   */
  valuesOf(keys: Int32Array): readonly number[] {
    let values = this.values.get(keys)
    if (!values) {
      const found = new Set(Array.from(this.byAge, (place) => keys[this.slots[place] as number] as number))
      if (found.size > 1) found.delete(0)
      values = [...found]
      this.values.set(keys, values)
    }
    return values
  }

  get count(): number {
    return this.slots.length
  }

  slot(place: number): number {
    return this.slots[place] as number
  }

  value(place: number): number {
    return this.columns.order[this.slots[place] as number] as number
  }

  /** Returns the next place with an unserved ticket to the right; `count` when there is no such place. */
  right(place: number): number {
    return this.next[place] as number
  }

  /** Returns the next place with an unserved ticket to the left; −1 when there is no such place. */
  left(place: number): number {
    return this.previous[place] as number
  }

  /** Returns the first place with an unserved ticket from `from` on; `count` when there is no such place. */
  firstFrom(from: number): number {
    let place = from
    while (place < this.count && this.served[place] === 1) place++
    return place
  }

  /** Makes the ticket at a served place unserved again. */
  restore(place: number): void {
    let before = place - 1
    while (before >= 0 && this.served[before] === 1) before--
    let after = place + 1
    while (after < this.count && this.served[after] === 1) after++
    this.previous[place] = before
    this.next[place] = after
    if (before >= 0) this.next[before] = place
    if (after < this.count) this.previous[after] = place
    this.served[place] = 0
  }

  serve(place: number): void {
    const before = this.previous[place] as number
    const after = this.next[place] as number
    if (before >= 0) this.next[before] = after
    if (after < this.count) this.previous[after] = before
    this.served[place] = 1
  }
}
