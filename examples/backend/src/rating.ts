const MOST = 32

/** What the winners gain and the losers lose, by Elo: less where it was to be expected. */
export function rated(winners: readonly number[], losers: readonly number[]): number {
  const expected = 1 / (1 + 10 ** ((mean(losers) - mean(winners)) / 400))
  return Math.round(MOST * (1 - expected))
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
