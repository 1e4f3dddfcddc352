import type { Timers } from '@matchyard/core/ports'

// The longest wait that setTimeout takes; above it, it fires at once.
const MAX_WAIT_MS = 2 ** 31 - 1

/** Waiting with the event loop. A wait longer than 24 days is cut into pieces. */
export function nodeTimers(): Timers {
  return {
    after(ms, callback) {
      let handle: NodeJS.Timeout
      const wait = (left: number) => {
        const step = Math.min(Math.max(0, left), MAX_WAIT_MS)
        handle = setTimeout(() => (left > step ? wait(left - step) : callback()), step)
      }
      wait(ms)
      return () => clearTimeout(handle)
    },
  }
}
