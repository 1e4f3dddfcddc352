/** Waiting that does not keep the service's process alive. Of two waits for one thing the sooner one is kept. */
export type Later = (what: string, ms: number, callback: () => void) => void

/** What is to be done later: one thing at most for each that it is about, however often it is asked for. */
export class Timers {
  private readonly waiting = new Map<string, { readonly due: number; readonly timer: NodeJS.Timeout }>()

  readonly later: Later = (what, ms, callback) => {
    const before = this.waiting.get(what)
    const due = performance.now() + ms
    if (before !== undefined && before.due <= due) return
    clearTimeout(before?.timer)
    const timer = setTimeout(() => {
      this.waiting.delete(what)
      callback()
    }, ms)
    timer.unref()
    this.waiting.set(what, { due, timer })
  }

  clear(): void {
    for (const { timer } of this.waiting.values()) clearTimeout(timer)
    this.waiting.clear()
  }
}
