import type { Platform } from '@matchyard/client'
import { Pace } from './pace'

/** A client's platform whose time passes faster than real time and can jump. */
export interface FastPlatform extends Platform {
  /**
   * Imitates a machine that sleeps: the clock jumps ahead, and during that time no timer ran and no connection received
   * data.
   */
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
