/** One at a time per key, in order of asking. Efficiency only: correctness rests on versions. */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<unknown>>()

  /** Whether somebody has the turn, or waits for it. */
  isBusy(key: string): boolean {
    return this.tails.has(key)
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    // The chain must go on after a failure, and the caller still gets it.
    const settled = mine.catch(() => undefined)
    this.tails.set(key, settled)
    try {
      return await mine
    } finally {
      if (this.tails.get(key) === settled) this.tails.delete(key)
    }
  }
}
