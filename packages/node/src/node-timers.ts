import type { Timers } from '@matchyard/core/ports'

// Longest wait of `setTimeout`, in milliseconds. With a longer wait, `setTimeout` would run the callback at once.
const MAX_WAIT_MS = 2 ** 31 - 1

/** Returns timers that run in the event loop. A wait longer than 24 days is divided into several waits. */
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
