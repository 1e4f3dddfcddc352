/** One piece of work at a time per key, in the order of asking. */
export class KeyedLock {
  private readonly last = new Map<string, Promise<void>>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(key) ?? Promise.resolve()).then(work)
    const settled = turn.then(
      () => {},
      () => {},
    )
    this.last.set(key, settled)
    try {
      return await turn
    } finally {
      if (this.last.get(key) === settled) this.last.delete(key)
    }
  }
}
