import type { Calibration } from '@matchyard/client/admin'
import type { Series } from '../../ui/series'

type Buckets = Calibration['buckets']

interface Line {
  readonly x: readonly number[]
  readonly series: readonly Series[]
}

/** Returns a probability in percent; a dash without one. */
export const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`)

/**
 * Returns the lines of the chart in percent: the diagonal, on which predictions and outcomes are equal, and one dot for
 * each bucket with teams. Empty buckets have no dot.
 */
export function lineOf(buckets: Buckets): Line {
  const dots = buckets.flatMap(({ predicted, actual }) =>
    predicted === null || actual === null ? [] : [[100 * predicted, 100 * actual] as const],
  )
  dots.sort(([a], [b]) => a - b)
  const x = [0, ...dots.map(([predicted]) => predicted), 100]
  return {
    x,
    series: [
      { label: 'Predictions that are exactly right', values: x, tone: 'still', dashed: true },
      { label: 'Teams that won', values: [null, ...dots.map(([, actual]) => actual), null], dots: true },
    ],
  }
}
