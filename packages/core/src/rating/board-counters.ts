import { boardLevel, boardTier } from './board'
import type { Standing } from './standing'

/** Counter of the standings of a season of a rating that have at least a number of matches, 1 to 100 (`boardLevel`). */
export const boardCounter = (ratingKey: string, season: number, matches: number): string =>
  `board:${ratingKey}/${season}/${matches}`
/** Counter of the standings of a season of a rating in one tier (`boardTier`) and one cell of skills (`boardCell`). */
const cellCounter = (ratingKey: string, season: number, tier: number, cell: number): string =>
  `cell:${ratingKey}/${season}/${tier}/${String(cell).padStart(3, '0')}`
/** Returns the range of the counters of a tier for the cells before a cell. */
export const cellRange = (ratingKey: string, season: number, tier: number, cell: number) => ({
  from: cellCounter(ratingKey, season, tier, 0),
  below: cellCounter(ratingKey, season, tier, cell),
})

/** Returns the counters that count a standing, each by 1; none for a standing without matches. */
export function standingCounters({ ratingKey, season, matches, cell }: Standing): readonly string[] {
  const level = boardLevel(matches)
  if (level === 0) return []
  const atLeast = Array.from({ length: level }, (_, index) => boardCounter(ratingKey, season, index + 1))
  return [...atLeast, cellCounter(ratingKey, season, boardTier(level), cell)]
}
