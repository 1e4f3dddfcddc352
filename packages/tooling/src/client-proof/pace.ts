const TICK_MS = 5
/**
 * The most milliseconds by which one tick advances the clock, even when more real time has passed since the last tick.
 */
const MOST_MS = 25

/**
 * A clock that runs slower when this process gets little CPU time. With real time, all calls would exceed their
 * timeouts at once on a very busy machine, and their retries would add more load.
 */
export class Pace {
  /** Time of this clock: milliseconds since the clock was created. */
  now = 0
  private tickedAt = 0
  private ticking: NodeJS.Timeout | undefined
  private readonly waiting = new Set<{ readonly due: number; readonly run: () => void }>()

  /** Calls `run` once, when `ms` milliseconds of this clock have passed. Returns a function that cancels the call. */
  after(milliseconds: number, run: () => void): () => void {
    const one = { due: this.now + milliseconds, run }
    this.waiting.add(one)
    if (this.ticking === undefined) {
      this.tickedAt = performance.now()
      this.ticking = setInterval(() => this.tick(), TICK_MS)
    }
    return () => {
      this.waiting.delete(one)
    }
  }

  private tick(): void {
    const at = performance.now()
    this.now += Math.min(at - this.tickedAt, MOST_MS)
    this.tickedAt = at
    const due = [...this.waiting].filter((one) => one.due <= this.now).sort((one, other) => one.due - other.due)
    // A timer that runs may cancel another timer that is due.
    for (const one of due) if (this.waiting.delete(one)) one.run()
    if (this.waiting.size > 0) return
    clearInterval(this.ticking)
    this.ticking = undefined
  }
}
