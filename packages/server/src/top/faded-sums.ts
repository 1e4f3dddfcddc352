/** Amounts that are counted for one caller: calls, refusals, milliseconds, bytes in and bytes out. */
export type Amounts = readonly [calls: number, refused: number, ms: number, bytesIn: number, bytesOut: number]

/**
 * Milliseconds in which a sum decays to about a third, for the rates of the last ten seconds and of the last minute.
 */
export const SHORT_MS = 10_000
export const LONG_MS = 60_000
/** Maximum number of callers of one kind (project, key or address) that are counted separately. */
export const MAX_NAMES = 1_000
/** Minimum weight below which a sum is dropped. One call decays to this weight in about 4.6 minutes. */
const FADED = 0.01

interface Sum {
  at: number
  readonly short: number[]
  readonly long: number[]
}

/** Amounts of one caller, each per second. */
export interface Rates {
  readonly name: string
  readonly short: readonly number[]
  readonly long: readonly number[]
}

/**
 * Sums by name that decay with time, for at most 1,000 names. If there are more names, the half with the smallest sums
 * of the last minute is dropped. A busy caller therefore stays, however many names other callers invent.
 */
export class FadedSums {
  private readonly sums = new Map<string, Sum>()

  get size(): number {
    return this.sums.size
  }

  add(name: string, amounts: Amounts, now: number): void {
    const sum = this.sums.get(name) ?? this.begin(name, now)
    fade(sum, now)
    for (const [index, amount] of amounts.entries()) {
      sum.short[index] = (sum.short[index] ?? 0) + amount
      sum.long[index] = (sum.long[index] ?? 0) + amount
    }
  }

  rates(now: number): Rates[] {
    const all: Rates[] = []
    for (const [name, sum] of this.sums) {
      fade(sum, now)
      if (weightOf(sum) < FADED) this.sums.delete(name)
      else all.push({ name, short: perSecond(sum.short, SHORT_MS), long: perSecond(sum.long, LONG_MS) })
    }
    return all
  }

  private begin(name: string, now: number): Sum {
    if (this.sums.size >= MAX_NAMES) this.forgetHalf(now)
    const sum = { at: now, short: [0, 0, 0, 0, 0], long: [0, 0, 0, 0, 0] }
    this.sums.set(name, sum)
    return sum
  }

  private forgetHalf(now: number): void {
    for (const sum of this.sums.values()) fade(sum, now)
    const byWeight = [...this.sums].sort(([, a], [, b]) => weightOf(a) - weightOf(b))
    for (const [name] of byWeight.slice(0, MAX_NAMES / 2)) this.sums.delete(name)
  }
}

/** Returns the number of a caller's calls in the last minute, answered and refused. */
const weightOf = ({ long }: Sum): number => (long[0] ?? 0) + (long[1] ?? 0)

const perSecond = (sums: readonly number[], ms: number): number[] => sums.map((sum) => (sum * 1_000) / ms)

function fade(sum: Sum, now: number): void {
  const ms = now - sum.at
  if (ms <= 0) return
  sum.at = now
  for (const [sums, time] of [
    [sum.short, SHORT_MS],
    [sum.long, LONG_MS],
  ] as const) {
    const left = Math.exp(-ms / time)
    for (const index of sums.keys()) sums[index] = (sums[index] ?? 0) * left
  }
}
