import type { TicketColumns } from '../columns/ticket-columns'
import type { Asker, Fill } from './fill'
import type { FillSearch } from './fill-search'
import type { OpenSeats } from './open-seats'

/** Steps of searches for parties that older requests might give up. */
const MAX_STEPS = 100_000

/**
 * Fills requests by age, each with the oldest parties that the ones before have left. Where seats stay open, a party that could
 * take one is exchanged, if the older request that has it finds others for as many seats.
 */
export class FillsByAge {
  /** Joining parties by request. */
  private readonly joining: (readonly number[])[]
  /** By slot: the request it joins. */
  private readonly taken = new Map<number, number>()
  /** Steps of exchanges so far. */
  private steps = 0
  private exchanged = false

  constructor(
    private readonly columns: TicketColumns,
    private readonly search: FillSearch,
    private readonly askers: readonly Asker[],
    private readonly bounded: Set<OpenSeats>,
  ) {
    this.joining = askers.map(() => [])
  }

  *find(): Generator<undefined, Fill[], undefined> {
    for (const [request, { seats, candidates }] of this.askers.entries()) {
      this.join(request, this.best(request, undefined))
      if (this.search.bounded) this.bounded.add(seats)
      for (const slot of candidates) {
        if (this.playersOf(request) === seats.open || this.steps > MAX_STEPS) break
        if ((this.taken.get(slot) ?? request) === request) continue
        const before = this.search.spent
        this.exchange(request, slot)
        this.steps += this.search.spent - before
        yield
      }
      yield
    }
    // A request that gave up a party may have given up more: another request without a party might find one now.
    if (this.exchanged) for (const { seats } of this.askers) this.bounded.add(seats)
    return this.askers
      .map(({ seats }, request) => ({ seats, slots: this.joining[request] as readonly number[] }))
      .filter(({ slots }) => slots.length > 0)
  }

  /** The oldest parties that may join together, of those who join nobody else; `without` one of them. */
  private best(request: number, without: number | undefined): readonly number[] {
    const { seats, candidates } = this.askers[request] as Asker
    const free = candidates.filter((slot) => slot !== without && (this.taken.get(slot) ?? request) === request)
    let best: readonly number[] = []
    this.search.run(seats, free, (joined) => {
      best = [...joined]
      return true
    })
    return best
  }

  private exchange(request: number, slot: number): void {
    const other = this.taken.get(slot) as number
    const [own, theirs] = [this.joining[request] as readonly number[], this.joining[other] as readonly number[]]
    const players = this.playersOf(request)
    const least = this.playersOf(other)
    this.join(other, this.best(other, slot))
    if (this.playersOf(other) >= least) {
      this.join(request, this.best(request, undefined))
      if (this.playersOf(request) > players) {
        this.exchanged = true
        return
      }
      this.join(request, [])
    }
    this.join(other, theirs)
    this.join(request, own)
  }

  private join(request: number, slots: readonly number[]): void {
    for (const slot of this.joining[request] as readonly number[]) this.taken.delete(slot)
    for (const slot of slots) this.taken.set(slot, request)
    this.joining[request] = slots
  }

  private playersOf(request: number): number {
    return (this.joining[request] as readonly number[]).reduce(
      (sum, slot) => sum + (this.columns.players[slot] as number),
      0,
    )
  }
}
