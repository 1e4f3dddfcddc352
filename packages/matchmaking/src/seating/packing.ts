import type { MatchFormat, TeamFormat } from '../config/match-format'

/** Steps of one question; past them the answer is no. Matches of up to twenty parties never come near. */
const MAX_STEPS = 20_000

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)

/**
 * Returns the team of each party where parties of these sizes (largest first) can be divided over `teams` teams so that each has between
 * `least` and `most` players; else undefined.
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
      // Teams filled alike are alike.
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

/** Returns the same for teams without roles that are a match, whose sizes differ by no more than the format's bound. */
export const divideEvenly = (
  { teams: formats, maxSizeDifference }: MatchFormat,
  sizes: readonly number[],
  teams: number,
): readonly number[] | undefined => {
  const { min, max } = formats[0] as TeamFormat
  const average = sumOf(sizes) / teams
  // The smallest team is not above the average, and the largest not below it.
  for (let least = Math.max(min, Math.ceil(average) - maxSizeDifference); least <= average; least++) {
    const most = least + maxSizeDifference
    const found = divide(sizes, teams, least, Math.min(max, most))
    if (found || most >= max) return found
  }
  return undefined
}
