import { setTimeout as wait } from 'node:timers/promises'

const FIRST_MS = 250
const LONGEST_MS = 5_000

/**
 * Returns the milliseconds before the next attempt: a random time up to a bound that doubles with each failure, but at
 * least the pause that the service asked for. When the service comes back, its game servers therefore do not all call
 * at the same time.
 */
export const backOffMs = (failures: number, askedMs = 0): number =>
  askedMs + Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10))

/** Waits. Throws the signal's reason when the signal is aborted meanwhile. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  try {
    await wait(ms, undefined, signal === undefined ? {} : { signal })
  } catch {
    throw signal?.reason
  }
}
