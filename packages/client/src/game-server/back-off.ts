import { setTimeout as wait } from 'node:timers/promises'

const FIRST_MS = 250
const LONGEST_MS = 5_000

/**
 * How long to wait before the next attempt, after `failures` of them: by chance between nothing and a bound that doubles, so that all the
 * game servers of a service that comes back do not call it in the same instant. Never sooner than the service asked for.
 */
export const backOffMs = (failures: number, askedMs = 0): number =>
  askedMs + Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10))

/** Throws the signal's reason when it is aborted meanwhile. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  try {
    await wait(ms, undefined, signal === undefined ? {} : { signal })
  } catch {
    throw signal?.reason
  }
}
