import type { Arrival } from '@matchyard/client/admin'

/** Group of players with values: the players who wait now, and the players who were matched. */
export const GROUPS = ['waiting', 'played'] as const
export type Group = (typeof GROUPS)[number]

/** Values of a field in the two groups. */
export type FieldValues = Readonly<Record<Group, readonly number[]>>

type Stay = Pick<Arrival, 'outcome'> & {
  readonly players: readonly { readonly state: { readonly [field: string]: unknown } }[]
}

/** Returns the values of a field of the players who wait and of the players who were matched, each in ascending order. */
export function valuesOf(stays: readonly Stay[], field: string): FieldValues {
  const values: Record<Group, number[]> = { waiting: [], played: [] }
  for (const { outcome, players } of stays) {
    const group = outcome === null ? 'waiting' : outcome === 'matched' ? 'played' : undefined
    if (group === undefined) continue
    for (const { state } of players) {
      const value = state[field]
      if (typeof value === 'number') values[group].push(value)
    }
  }
  for (const group of GROUPS) values[group].sort((a, b) => a - b)
  return values
}

/** Returns the nearest-rank percentile of values in ascending order; null without values. */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? null
}

/** Number of equally wide bars of a histogram. */
export const BARS = 16

/** Bar of a histogram: the values from `from` to `to`, and the share of each group's players. */
export interface HistogramBar {
  readonly from: number
  readonly to: number
  readonly shares: Readonly<Record<Group, number>>
}

/**
 * Returns the histogram of both groups. The bars reach from p1 to p99 of all values, so that a few extreme values do not
 * press all others into one bar; the first and the last bar also have the values beyond. Equal values make one bar.
 */
export function histogramOf(values: FieldValues): readonly HistogramBar[] {
  const all = GROUPS.flatMap((group) => values[group]).sort((a, b) => a - b)
  const [least, most] = [percentile(all, 0.01), percentile(all, 0.99)]
  if (least === null || most === null) return []
  const bars = least === most ? 1 : BARS
  const width = (most - least) / bars
  const shareOf = (group: Group, bar: number) => {
    const here = values[group].filter((value) => placeOf(value) === bar).length
    return values[group].length === 0 ? 0 : here / values[group].length
  }
  const placeOf = (value: number) =>
    width === 0 ? 0 : Math.min(bars - 1, Math.max(0, Math.floor((value - least) / width)))
  return Array.from({ length: bars }, (_, bar) => ({
    from: least + bar * width,
    to: least + (bar + 1) * width,
    shares: { waiting: shareOf('waiting', bar), played: shareOf('played', bar) },
  }))
}
