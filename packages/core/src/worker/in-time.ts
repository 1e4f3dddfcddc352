import type { Timers } from '../ports/clock'

/** Returns whether work ends within some milliseconds. The work goes on after them. Rejects when the work fails before. */
export function inTime(timers: Timers, work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(ms, () => resolve(false))
    work.then(() => resolve(true), reject).finally(cancel)
  })
}
