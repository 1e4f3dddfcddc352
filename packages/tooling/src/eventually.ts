import { setTimeout as wait } from 'node:timers/promises'

const LOOK_EVERY_MS = 20

/**
 * Calls a function repeatedly until its condition holds, and returns the last value. Fails with that value after
 * `withinMs` milliseconds.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  holds: (seen: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const until = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (holds(seen)) return seen
    if (performance.now() > until) throw new Error(`it never came to be; last seen: ${JSON.stringify(seen)}`)
    await wait(LOOK_EVERY_MS)
  }
}
