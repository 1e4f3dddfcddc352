const TICK_MS = 5
/** However long it really was since the tick before. */
const MOST_MS = 25

/**
 * Time that passes no faster than this process comes to run. Where a machine is so busy that it hardly does, calls would all be too late
 * together, and what is tried again would make it busier still.
 */
export class Pace {
  /** Milliseconds since it began. */
  now = 0
  private tickedAt = 0
  private ticking: NodeJS.Timeout | undefined
  private readonly waiting = new Set<{ readonly due: number; readonly run: () => void }>()

  /** Calls back once; answers how to call that off. */
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
    // A due timer may cancel another.
    for (const one of due) if (this.waiting.delete(one)) one.run()
    if (this.waiting.size > 0) return
    clearInterval(this.ticking)
    this.ticking = undefined
  }
}
