import type { Arena } from './arena'

/** Times of calls in milliseconds: half of them, and all but one of a hundred, took at most this long; and processor time of one call. */
export interface Timed {
  readonly p50: number
  readonly p99: number
  readonly cpu: number
}

/** Returns the value that a share of the values, 0 to 1, does not exceed. */
export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN

/** Makes calls one after the other, and returns what they took. */
export async function timed({ used }: Arena, calls: number, call: (n: number) => Promise<unknown>): Promise<Timed> {
  const times: number[] = []
  const before = used()
  for (let n = 0; n < calls; n++) {
    const startedAt = performance.now()
    await call(n)
    times.push(performance.now() - startedAt)
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpu: (used() - before) / calls }
}

export const ms = (value: number): string => value.toFixed(2)
