import type { Calibration } from '@matchyard/client/admin'
import type { Series } from '../../ui/series'

type Buckets = Calibration['buckets']
type Bucket = Buckets[number]

/** Number of teams below which the share of wins in a bucket may be chance. */
const FEW_TEAMS = 100

interface Line {
  readonly x: readonly number[]
  readonly series: readonly Series[]
}

/** Returns a probability in percent; a dash without one. */
export const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`)

const hasTeams = (bucket: Bucket): bucket is Bucket & { readonly predicted: number; readonly actual: number } =>
  bucket.predicted !== null && bucket.actual !== null

/**
 * Returns the lines of the chart in percent: the diagonal, on which predictions and outcomes are equal, and one dot for
 * each bucket with teams. The dots of few teams are hollow. Empty buckets have no dot.
 */
export function lineOf(buckets: Buckets): Line {
  const dots = buckets.filter(hasTeams).sort((a, b) => a.predicted - b.predicted)
  const x = [0, ...dots.map(({ predicted }) => 100 * predicted), 100]
  const valuesOf = (isShown: (bucket: Bucket) => boolean) => [
    null,
    ...dots.map((dot) => (isShown(dot) ? 100 * dot.actual : null)),
    null,
  ]
  const hollow = valuesOf(({ count }) => count < FEW_TEAMS)
  return {
    x,
    series: [
      { label: 'Equal', values: x, tone: 'still', dashed: true },
      { label: 'Share of teams that won', values: valuesOf(({ count }) => count >= FEW_TEAMS), dots: 'filled' },
      ...(hollow.some((value) => value !== null)
        ? [{ label: `Fewer than ${FEW_TEAMS} teams`, values: hollow, dots: 'hollow' } as const]
        : []),
    ],
  }
}

/** Favourites: the teams with a predicted probability of at least one half. */
export interface Favourites {
  readonly count: number
  /** Mean of the predicted probabilities of winning. */
  readonly predicted: number
  /** Share of the teams that won. */
  readonly actual: number
  /** Comparison of both. `as_predicted`: the difference may be chance. */
  readonly verdict: 'as_predicted' | 'less' | 'more'
}

/** Returns the predictions and the outcomes of all favourites; undefined without one. */
export function favouritesOf(buckets: Buckets): Favourites | undefined {
  const all = buckets.filter(({ from }) => from >= 0.5).filter(hasTeams)
  const count = all.reduce((sum, bucket) => sum + bucket.count, 0)
  if (count === 0) return undefined
  const meanOf = (value: 'predicted' | 'actual') =>
    all.reduce((sum, bucket) => sum + bucket.count * bucket[value], 0) / count
  const [predicted, actual] = [meanOf('predicted'), meanOf('actual')]
  // Two standard errors of a share: exact predictions differ more in one of twenty cases.
  const chance = 2 * Math.sqrt((predicted * (1 - predicted)) / count)
  const gap = actual - predicted
  return { count, predicted, actual, verdict: Math.abs(gap) <= chance ? 'as_predicted' : gap < 0 ? 'less' : 'more' }
}
