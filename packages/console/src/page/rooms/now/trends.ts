/** One value a minute, for an hour. */
const MINUTE = 60_000
const MINUTES = 60

interface Sample {
  readonly minute: number
  readonly value: number
}

/**
 * Figures of the last hour, as far as this page has seen them: the service only reports present values. Kept for the tab, so that a reload
 * keeps them.
 */
export class Trends {
  private readonly samples: Map<string, Sample[]>

  constructor(private readonly name: string) {
    this.samples = new Map(remembered(name))
  }

  /** Notes a figure; the last one of a minute counts. */
  note(figure: string, value: number, at: number): void {
    const minute = Math.floor(at / MINUTE)
    const before = (this.samples.get(figure) ?? []).filter(
      (one) => one.minute < minute && one.minute > minute - MINUTES,
    )
    this.samples.set(figure, [...before, { minute, value }])
  }

  /** Returns the last hour of a figure, oldest first, without unseen minutes. */
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

/** How many instants fall into each minute of the last hour, oldest first. */
export function perMinute(instants: readonly number[], now: number): readonly number[] {
  const counts = Array.from({ length: MINUTES }, () => 0)
  for (const instant of instants) {
    const back = Math.floor((now - instant) / MINUTE)
    const place = MINUTES - 1 - back
    if (back >= 0 && place >= 0) counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

/** How many of something lasted at the end of each minute of the last hour, oldest first. */
export const lasting = (spans: readonly (readonly [from: number, to: number])[], now: number): readonly number[] =>
  Array.from({ length: MINUTES }, (_, index) => {
    const at = now - (MINUTES - 1 - index) * MINUTE
    return spans.filter(([from, to]) => from <= at && at < to).length
  })
