import type { Pauses } from '../../src/agones/kube/client'
import type { SteppedTime } from './stepped-time'

/** Returns pauses that end by the time of a test. */
export const pausesOf = (time: SteppedTime): Pauses => ({
  now: () => time.now(),
  pause: (ms, signal) =>
    new Promise<void>((resolve, reject) => {
      const forget = time.after(ms, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      const abort = () => {
        forget()
        reject(new Error('not waited for any more'))
      }
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
    }),
})

/** Waits 20 turns of the event loop, so that all work that needs no timer is done. */
async function stillness(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export function passing(time: SteppedTime) {
  /** Lets some milliseconds pass. Before the next due timer runs, all effects of the previous one have happened. */
  async function pass(ms: number): Promise<void> {
    const until = time.now() + ms
    for (;;) {
      await stillness()
      const { next } = time
      if (next === undefined || next > until) break
      time.pass(next - time.now())
    }
    time.pass(until - time.now())
  }

  /** Returns the result of a call, while time passes. */
  async function done<T>(work: Promise<T>): Promise<T> {
    let isSettled = false
    const settled = () => {
      isSettled = true
    }
    work.then(settled, settled)
    for (let tries = 0; !isSettled && tries < 1_000; tries++) await pass(20)
    return work
  }

  return { pass, done }
}
