/** Milliseconds for which a trend has one value. A trend covers the last hour. */
const MINUTE = 60_000
const MINUTES = 60

interface Sample {
  readonly minute: number
  readonly value: number
}

/**
 * Values of the last hour. This page records them, because the service reports only current values. They are stored in
 * the tab's storage, so that they survive a reload.
 */
export class Trends {
  private readonly samples: Map<string, Sample[]>

  constructor(private readonly name: string) {
    this.samples = new Map(remembered(name))
  }

  /** Records a value of a figure. A later value of the same minute replaces it. */
  note(figure: string, value: number, at: number): void {
    const minute = Math.floor(at / MINUTE)
    const before = (this.samples.get(figure) ?? []).filter(
      (one) => one.minute < minute && one.minute > minute - MINUTES,
    )
    this.samples.set(figure, [...before, { minute, value }])
  }

  /** Returns the recorded values of a figure, oldest first; minutes without a value are left out. */
  of(figure: string): readonly number[] {
    return (this.samples.get(figure) ?? []).map(({ value }) => value)
  }

  keep(): void {
    try {
      sessionStorage.setItem(keyOf(this.name), JSON.stringify([...this.samples]))
    } catch {}
  }
}

const keyOf = (name: string) => `matchyard.trends.${name}`

function remembered(name: string): [string, Sample[]][] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '[]')
    return Array.isArray(kept) ? (kept as [string, Sample[]][]) : []
  } catch {
    return []
  }
}

/** Returns the number of instants in each minute of the last hour, oldest first. */
export function perMinute(instants: readonly number[], now: number): readonly number[] {
  const counts = Array.from({ length: MINUTES }, () => 0)
  for (const instant of instants) {
    const back = Math.floor((now - instant) / MINUTE)
    const place = MINUTES - 1 - back
    if (back >= 0 && place >= 0) counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

/**
 * Returns the number of spans (pairs of start and end) that were open at the end of each minute of the last hour,
 * oldest first.
 */
export const lasting = (spans: readonly (readonly [from: number, to: number])[], now: number): readonly number[] =>
  Array.from({ length: MINUTES }, (_, index) => {
    const at = now - (MINUTES - 1 - index) * MINUTE
    return spans.filter(([from, to]) => from <= at && at < to).length
  })
