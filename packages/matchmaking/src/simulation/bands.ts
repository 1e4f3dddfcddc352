import type { Ticket } from '../types'
import { Samples } from './figures'

/** Parties whose values of a field are near each other, and their waits. */
export interface BandFigures {
  /** Lowest value of a party of the band. The value of a party is the mean of its players. */
  readonly from: number
  /** Highest value of a party of the band. */
  readonly to: number
  readonly parties: number
  /** Share of the parties (0 to 1) that were matched. */
  readonly matchedShare: number
  /** Waits of the matched parties, in seconds. */
  readonly waitSeconds: { readonly p50: number | null; readonly p90: number | null }
}

/** Waits by a numeric field of the players. */
export interface BandsFigures {
  readonly field: string
  /** Bands of about equally many parties, the lowest values first. Empty where no party has the field. */
  readonly bands: readonly BandFigures[]
}

/** Number of bands. */
const BANDS = 5

/** Collects the waits of parties by the value of a numeric field. */
export class Bands {
  private readonly values: number[] = []
  /** Waits in seconds, by place in `values`; undefined for parties that were not matched. */
  private readonly waits: (number | undefined)[] = []
  private readonly places = new Map<string, number>()

  constructor(private readonly field: string) {}

  arrive({ id, players }: Ticket): void {
    const numbers = players.map(({ state }) => state[this.field]).filter((value) => typeof value === 'number')
    if (numbers.length === 0) return
    this.places.set(id, this.values.length)
    this.values.push(numbers.reduce((sum, value) => sum + value, 0) / numbers.length)
  }

  match(id: string, waitSeconds: number): void {
    const place = this.places.get(id)
    if (place !== undefined) this.waits[place] = waitSeconds
  }

  figures(): BandsFigures {
    const order = this.values.map((_, place) => place).sort((a, b) => this.valueOf(a) - this.valueOf(b))
    const bands: BandFigures[] = []
    let begin = 0
    for (let band = 1; band <= BANDS; band++) {
      let end = Math.max(begin, Math.round((band * order.length) / BANDS))
      // Parties with equal values are in one band.
      while (end > begin && end < order.length && this.valueOf(order[end]) === this.valueOf(order[end - 1])) end++
      if (end > begin) bands.push(this.bandOf(order.slice(begin, end)))
      begin = end
    }
    return { field: this.field, bands }
  }

  private valueOf(place: number | undefined): number {
    return this.values[place ?? -1] ?? 0
  }

  private bandOf(places: readonly number[]): BandFigures {
    const waits = new Samples()
    for (const place of places) {
      const wait = this.waits[place]
      if (wait !== undefined) waits.add(wait)
    }
    return {
      from: this.valueOf(places[0]),
      to: this.valueOf(places.at(-1)),
      parties: places.length,
      matchedShare: waits.count / places.length,
      waitSeconds: { p50: waits.percentile(0.5), p90: waits.percentile(0.9) },
    }
  }
}
