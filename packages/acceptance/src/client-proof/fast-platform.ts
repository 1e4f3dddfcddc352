import type { Platform } from '@matchyard/client'

/** A client's time, which passes faster than ours and can be made to jump. */
export interface FastPlatform extends Platform {
  /** As if the machine had slept: the clock goes on, timers and connections stood still. */
  sleep(milliseconds: number): void
}

/** So that what takes a client ten seconds takes a test one. */
const SPEED = 10

export function fastPlatform(random: () => number, speed = SPEED): FastPlatform {
  let slept = Date.now()
  return {
    fetch: (input, init) => fetch(input, init),
    now: () => slept + performance.now() * speed,
    after: (milliseconds, run) => {
      const timer = setTimeout(run, milliseconds / speed)
      return () => clearTimeout(timer)
    },
    random,
    sleep: (milliseconds) => {
      slept += milliseconds
    },
  }
}
