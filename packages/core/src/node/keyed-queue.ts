/**
 * Runs tasks with the same key one at a time, in the order of the calls. The queue only reduces conflicts between commits; the versions of
 * rows guarantee correctness.
 */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<unknown>>()

  /** Whether a task with this key is running or waiting. */
  isBusy(key: string): boolean {
    return this.tails.has(key)
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    // The next task also runs after a failure. Only the caller of the failed task gets the error.
    const settled = mine.catch(() => undefined)
    this.tails.set(key, settled)
    try {
      return await mine
    } finally {
      if (this.tails.get(key) === settled) this.tails.delete(key)
    }
  }
}
