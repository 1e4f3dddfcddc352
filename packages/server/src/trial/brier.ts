import type { PlayedMatch } from './record'

/** Number of equal parts of the range from 0 to 1, as in the calibration of a rating. */
const BUCKETS = 10

/** Teams whose predicted probability is in one part of the range. All values are means; null without teams. */
export interface BucketFigures {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly predicted: number | null
  /** Share of the teams that won. */
  readonly actual: number | null
  /** Probability of winning by the true skills. */
  readonly chance: number | null
}

/** Brier score of the predictions beside the best possible one: that of the probabilities by the true skills. */
export interface BrierFigures {
  /** Mean square of the difference between a prediction and its outcome (1 for a win, 0 for a defeat). */
  readonly score: number | null
  readonly best: number | null
  /**
   * Expected excess over the best possible score, as a share of it. The expectation over all outcomes depends on the
   * probabilities alone, so the luck of the drawn outcomes is not in it.
   */
  readonly excess: number | null
  /** Part of the excess that comes from the buckets' means, so that another curve of predictions would remove it. */
  readonly byCalibration: number | null
  /** Rest of the excess: the ratings do not know the skills exactly, so no curve of predictions would remove it. */
  readonly byNoise: number | null
}

interface TeamChance {
  readonly predicted: number
  readonly chance: number
  readonly won: number
}

/** Returns both teams of each match. */
const teamsOf = (matches: readonly PlayedMatch[]): TeamChance[] =>
  matches.flatMap(({ predicted, chance, isFirstWinner }) => [
    { predicted, chance, won: isFirstWinner ? 1 : 0 },
    { predicted: 1 - predicted, chance: 1 - chance, won: isFirstWinner ? 0 : 1 },
  ])

/** Returns both teams of each match in the buckets of their predictions. */
export function bucketsOf(matches: readonly PlayedMatch[]): BucketFigures[] {
  const buckets: TeamChance[][] = Array.from({ length: BUCKETS }, () => [])
  for (const team of teamsOf(matches)) {
    buckets[Math.min(BUCKETS - 1, Math.floor(team.predicted * BUCKETS))]?.push(team)
  }
  return buckets.map((teams, bucket) => ({
    ...{ from: bucket / BUCKETS, to: (bucket + 1) / BUCKETS, count: teams.length },
    predicted: mean(teams, ({ predicted }) => predicted),
    actual: mean(teams, ({ won }) => won),
    chance: mean(teams, ({ chance }) => chance),
  }))
}

/** Returns the Brier scores of matches, and the parts of the excess over the best possible one. */
export function brierOf(matches: readonly PlayedMatch[]): BrierFigures {
  const won = ({ isFirstWinner }: PlayedMatch) => (isFirstWinner ? 1 : 0)
  const expectedBest = mean(matches, ({ chance }) => chance * (1 - chance))
  const shareOfBest = (square: number | null) => (square === null || !expectedBest ? null : square / expectedBest)
  const excess = shareOfBest(mean(matches, ({ predicted, chance }) => (predicted - chance) ** 2))
  const byCalibration = shareOfBest(
    mean(
      bucketsOf(matches).flatMap((bucket) => Array.from({ length: bucket.count }, () => bucket)),
      ({ predicted, chance }) => ((predicted ?? 0) - (chance ?? 0)) ** 2,
    ),
  )
  return {
    score: mean(matches, (match) => (match.predicted - won(match)) ** 2),
    best: mean(matches, (match) => (match.chance - won(match)) ** 2),
    ...{ excess, byCalibration },
    byNoise: excess === null || byCalibration === null ? null : excess - byCalibration,
  }
}

/** Returns the mean of a number of each item; null without items. */
export function mean<T>(items: readonly T[], of: (item: T) => number): number | null {
  if (items.length === 0) return null
  let sum = 0
  for (const item of items) sum += of(item)
  return sum / items.length
}
