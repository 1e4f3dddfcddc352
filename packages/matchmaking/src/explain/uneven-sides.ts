import type { MatchFormat, TeamFormat } from '../config/match-format'
import { divide, divideEvenly } from '../seating/packing'
import type { Ticket } from '../types'

/** Parties of which every choice is looked at; of more it is not told. */
const MAX_PARTIES = 10

/**
 * Returns the bound on the difference between sides, where the first party and some of the others would make a match without it, and
 * none within it; else null. Yields after every choice of parties; told that it is enough, it returns null.
 */
export function* unevenSides(
  format: MatchFormat,
  parties: readonly Ticket[],
): Generator<undefined, number | null, boolean | undefined> {
  const { maxSizeDifference, minTeams, teams } = format
  if (maxSizeDifference === Number.POSITIVE_INFINITY || parties.length > MAX_PARTIES) return null
  const { min, max } = teams[0] as TeamFormat
  let found: number | null = null
  // The first is in every choice.
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
