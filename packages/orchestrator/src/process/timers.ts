/**
 * Schedules a callback without keeping the process alive. When two callbacks are scheduled for the same subject
 * (`what`), only the callback with the earlier time runs.
 */
export type Later = (what: string, ms: number, callback: () => void) => void

/** Timers, with at most one timer for each subject. */
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
