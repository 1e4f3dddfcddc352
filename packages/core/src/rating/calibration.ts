/** Number of equal parts of the range from 0 to 1 in which predictions are compared with outcomes. */
export const CALIBRATION_BUCKETS = 10

/** Sums are kept as whole millionths, so that a sum does not depend on the order of additions, and what was added can be taken out. */
const UNIT = 1_000_000

/** Sums of one bucket: number of teams, and their predictions and outcomes in millionths. */
export interface BucketSums {
  readonly count: number
  readonly predicted: number
  readonly actual: number
}

/** Team of a rated match: its predicted probability of winning, and its rank. */
export interface PredictedTeam {
  readonly predicted: number
  readonly rank: number
}

/** Bucket of a calibration as callers see it; `predicted` and `actual` are means, null for an empty bucket. */
export interface CalibrationBucket {
  /** Smallest predicted probability of the bucket. */
  readonly from: number
  /** Largest predicted probability of the bucket. */
  readonly to: number
  /** Number of teams. */
  readonly count: number
  /** Mean of the predicted probabilities of winning; null without teams. */
  readonly predicted: number | null
  /** Share of the teams that won, a shared win counting in parts; null without teams. */
  readonly actual: number | null
}

/** Comparison of predicted with real outcomes of the matches of a rating. */
export interface Calibration {
  /** Number of rated matches. */
  readonly matches: number
  /** Ten buckets by predicted probability. */
  readonly buckets: readonly CalibrationBucket[]
}

const NOTHING: BucketSums = { count: 0, predicted: 0, actual: 0 }

/** Returns the bucket of a predicted probability: 0 to 9. */
export const bucketOf = (predicted: number): number =>
  Math.min(CALIBRATION_BUCKETS - 1, Math.max(0, Math.floor(predicted * CALIBRATION_BUCKETS)))

/** Returns what one match adds to each bucket. A match that is taken out subtracts the same. */
export function sumsOf(teams: readonly PredictedTeam[]): BucketSums[] {
  const best = Math.min(...teams.map(({ rank }) => rank))
  const winners = teams.filter(({ rank }) => rank === best).length
  const buckets: BucketSums[] = Array.from({ length: CALIBRATION_BUCKETS }, () => NOTHING)
  for (const { predicted, rank } of teams) {
    const bucket = bucketOf(predicted)
    const { count, predicted: sum, actual } = buckets[bucket] ?? NOTHING
    buckets[bucket] = {
      count: count + 1,
      predicted: sum + Math.round(predicted * UNIT),
      actual: actual + (rank === best ? Math.round(UNIT / winners) : 0),
    }
  }
  return buckets
}

/** Returns the calibration for the sums of all buckets. */
export const calibrationOf = (matches: number, sums: readonly BucketSums[]): Calibration => ({
  matches,
  buckets: sums.map(({ count, predicted, actual }, bucket) => ({
    from: bucket / CALIBRATION_BUCKETS,
    to: (bucket + 1) / CALIBRATION_BUCKETS,
    count,
    predicted: count === 0 ? null : predicted / count / UNIT,
    actual: count === 0 ? null : actual / count / UNIT,
  })),
})
