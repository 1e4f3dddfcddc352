/** Collects numbers one by one, and returns their percentiles. */
export class Samples {
  private values = new Float64Array(1_024)
  private size = 0
  private sorted = true

  get count(): number {
    return this.size
  }

  add(value: number): void {
    if (this.size === this.values.length) {
      const larger = new Float64Array(this.values.length * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.size++] = value
    this.sorted = false
  }

  /** Returns the nearest-rank percentile for a share (0 to 1); null where no numbers were added. */
  percentile(share: number): number | null {
    if (this.size === 0) return null
    if (!this.sorted) this.values.subarray(0, this.size).sort()
    this.sorted = true
    return this.values[Math.max(0, Math.ceil(this.size * share) - 1)] ?? null
  }

  /** Returns how many numbers are at most each bound, and more than the bound before; the last count is of the numbers above all bounds. */
  histogram(bounds: readonly number[]): number[] {
    const counts = new Array<number>(bounds.length + 1).fill(0)
    for (let i = 0; i < this.size; i++) {
      const at = bounds.findIndex((bound) => (this.values[i] ?? 0) <= bound)
      const bucket = at === -1 ? bounds.length : at
      counts[bucket] = (counts[bucket] ?? 0) + 1
    }
    return counts
  }

  mean(): number | null {
    if (this.size === 0) return null
    let sum = 0
    for (let i = 0; i < this.size; i++) sum += this.values[i] ?? 0
    return sum / this.size
  }
}

export interface TimelinePoint {
  /** Start of the period, in seconds of virtual time. */
  readonly seconds: number
  readonly value: number
}

/** Averages over equal periods of virtual time, for a plot. */
export class Timeline {
  private readonly sums: number[] = []
  private readonly counts: number[] = []

  constructor(readonly stretchSeconds: number) {}

  add(atSeconds: number, value: number): void {
    const stretch = Math.floor(atSeconds / this.stretchSeconds)
    this.sums[stretch] = (this.sums[stretch] ?? 0) + value
    this.counts[stretch] = (this.counts[stretch] ?? 0) + 1
  }

  points(): TimelinePoint[] {
    return this.sums.flatMap((sum, stretch) => {
      const count = this.counts[stretch] ?? 0
      return count === 0 ? [] : [{ seconds: stretch * this.stretchSeconds, value: sum / count }]
    })
  }
}
