interface Entry {
  readonly at: number
  /** Number of the event in the order in which events were added: events of the same instant run in this order. */
  readonly number: number
  readonly act: () => void
}

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.number < b.number)

/**
 * Future events of the simulation, by time. They are kept in a binary heap, because thousands of matches may be
 * running.
 */
export class Agenda {
  private readonly heap: Entry[] = []
  private numbers = 0

  at(instant: number, act: () => void): void {
    const entry = { at: instant, number: this.numbers++, act }
    let place = this.heap.length
    for (
      let above = (place - 1) >> 1;
      place > 0 && isBefore(entry, this.heap[above] as Entry);
      above = (place - 1) >> 1
    ) {
      this.heap[place] = this.heap[above] as Entry
      place = above
    }
    this.heap[place] = entry
  }

  nextAt(): number | undefined {
    return this.heap[0]?.at
  }

  /** Runs the first event that is due by `now`; returns false where none is due. */
  runNext(now: number): boolean {
    const [first] = this.heap
    if (first === undefined || first.at > now) return false
    const last = this.heap.pop() as Entry
    if (this.heap.length > 0) this.sink(last)
    first.act()
    return true
  }

  private sink(entry: Entry): void {
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      const right = this.heap[below + 1]
      if (right !== undefined && isBefore(right, this.heap[below] as Entry)) below++
      const next = this.heap[below]
      if (next === undefined || !isBefore(next, entry)) break
      this.heap[place] = next
      place = below
    }
    this.heap[place] = entry
  }
}
