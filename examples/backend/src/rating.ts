const MOST = 32

/** Returns the points that the winners gain and the losers lose, by Elo: fewer for an expected result. */
export function rated(winners: readonly number[], losers: readonly number[]): number {
  const expected = 1 / (1 + 10 ** ((mean(losers) - mean(winners)) / 400))
  return Math.round(MOST * (1 - expected))
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
