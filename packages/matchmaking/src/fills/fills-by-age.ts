import type { TicketColumns } from '../columns/ticket-columns'
import type { Asker, Fill } from './fill'
import type { FillSearch } from './fill-search'
import type { OpenSeats } from './open-seats'

/** Most steps that the search spends on taking parties from older requests. */
const MAX_STEPS = 100_000

/**
 * Fills requests for players, the oldest request first, each with the oldest parties that are left. Where seats of a
 * request stay open, the search takes a party from an older request, if that request finds other parties for as many
 * seats.
 */
export class FillsByAge {
  /** By request: the slots of the parties that join. */
  private readonly joining: (readonly number[])[]
  /** By slot of a party: the request that the party joins. */
  private readonly taken = new Map<number, number>()
  /** Number of steps spent so far on moving parties between requests. */
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
    // After an exchange some parties may be free again, so a request that found no party might find a party now. All
    // requests stay open for the next tick.
    if (this.exchanged) for (const { seats } of this.askers) this.bounded.add(seats)
    return this.askers
      .map(({ seats }, request) => ({ seats, slots: this.joining[request] as readonly number[] }))
      .filter(({ slots }) => slots.length > 0)
  }

  /**
   * Returns the oldest parties that can together join a request, among the parties that join no other request. The
   * party `without` is left out.
   */
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
