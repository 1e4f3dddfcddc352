import type { Pauses } from '../../src/agones/kube/client'
import type { SteppedTime } from './stepped-time'

/** Pauses that are over when the time of a test has come. */
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

/** Many turns: what waits for nothing but others has happened. */
async function stillness(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export function passing(time: SteppedTime) {
  /** Lets so much time pass; between any two things that are due, all that follows from the first has happened. */
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

  /** What a call comes to, while time passes. */
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
