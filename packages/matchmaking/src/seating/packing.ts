import type { MatchFormat, TeamFormat } from '../config/match-format'

/**
 * Most steps of one search. After that the result is "no division exists". Matches of up to twenty parties need far
 * fewer steps.
 */
const MAX_STEPS = 20_000

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)

/**
 * Returns the team of each party in a division over `teams` teams with `least` to `most` players each; undefined where
 * no such division exists. `sizes` are the sizes of the parties, largest first.
 */
export const divide = (
  sizes: readonly number[],
  teams: number,
  least: number,
  most: number,
): readonly number[] | undefined => {
  const total = sumOf(sizes)
  if (total < teams * least || total > teams * most) return undefined
  if ((sizes[0] ?? 0) <= 1) return sizes.map((_, index) => index % teams)
  const rooms = new Array<number>(teams).fill(0)
  const teamOf: number[] = []
  let steps = 0
  const place = (index: number, left: number): boolean => {
    if (steps++ > MAX_STEPS) return false
    const size = sizes[index]
    if (size === undefined) return rooms.every((room) => room >= least)
    if (rooms.reduce((lack, room) => lack + Math.max(0, least - room), 0) > left) return false
    for (let team = 0; team < teams; team++) {
      const room = rooms[team] as number
      // The search tries only the first of several teams with the same free space.
      if (room + size > most || rooms.indexOf(room) < team) continue
      rooms[team] = room + size
      teamOf[index] = team
      if (place(index + 1, left - size)) return true
      rooms[team] = room
    }
    return false
  }
  return place(0, total) ? teamOf : undefined
}

/**
 * Returns the team of each party in a division over `teams` teams without roles, whose sizes differ by no more than the
 * format allows; undefined where no such division exists.
 */
export const divideEvenly = (
  { teams: formats, maxSizeDifference }: MatchFormat,
  sizes: readonly number[],
  teams: number,
): readonly number[] | undefined => {
  const { min, max } = formats[0] as TeamFormat
  const average = sumOf(sizes) / teams
  // The loop ends at the average size, because the smallest team is never above the average and the largest team is
  // never below it.
  for (let least = Math.max(min, Math.ceil(average) - maxSizeDifference); least <= average; least++) {
    const most = least + maxSizeDifference
    const found = divide(sizes, teams, least, Math.min(max, most))
    if (found || most >= max) return found
  }
  return undefined
}
