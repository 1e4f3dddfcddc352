import type { Platform } from '@matchyard/client'
import { Pace } from './pace'

/** A client's time, which passes faster than ours and can be made to jump. */
export interface FastPlatform extends Platform {
  /** As if the machine had slept: the clock goes on, timers and connections stood still. */
  sleep(milliseconds: number): void
}

/** Factor by which the client's clock runs faster than real time. */
const SPEED = 10

const pace = new Pace()

export function fastPlatform(random: () => number, speed = SPEED): FastPlatform {
  let slept = Date.now()
  return {
    fetch: (input, init) => fetch(input, init),
    now: () => slept + pace.now * speed,
    after: (milliseconds, run) => pace.after(milliseconds / speed, run),
    random,
    sleep: (milliseconds) => {
      slept += milliseconds
    },
  }
}
