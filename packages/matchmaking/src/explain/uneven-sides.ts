import type { MatchFormat, TeamFormat } from '../config/match-format'
import { divide, divideEvenly } from '../seating/packing'
import type { Ticket } from '../types'

/** Most parties for which all combinations are examined; with more parties, `unevenSides` returns null. */
const MAX_PARTIES = 10

/**
 * Returns the largest allowed difference of team sizes, when this setting alone prevents a match: the first party and
 * some of the other parties would form a match without the setting, and form no match with it. Returns null otherwise.
 * Yields after every combination of parties, and returns null after the caller passes true to `next`.
 */
export function* unevenSides(
  format: MatchFormat,
  parties: readonly Ticket[],
): Generator<undefined, number | null, boolean | undefined> {
  const { maxSizeDifference, minTeams, teams } = format
  if (maxSizeDifference === Number.POSITIVE_INFINITY || parties.length > MAX_PARTIES) return null
  const { min, max } = teams[0] as TeamFormat
  let found: number | null = null
  // The loop examines only odd numbers: bit 0 stands for the first party, which is in every combination.
  for (let choice = 1; choice < 1 << parties.length; choice += 2) {
    const chosen = parties.filter((_, index) => (choice >> index) & 1)
    const sizes = chosen.map(({ players }) => players.length).sort((a, b) => b - a)
    for (let count = minTeams; count <= Math.min(teams.length, sizes.length); count++) {
      if (divideEvenly(format, sizes, count)) return null
      if (divide(sizes, count, min, max)) found = maxSizeDifference
    }
    const enough: boolean | undefined = yield
    if (enough) return null
  }
  return found
}
