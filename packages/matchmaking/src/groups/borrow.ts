import type { Search } from './search'
import type { Unit } from './unit'

/** Most sets of tickets that are checked for one anchor. */
const MAX_TRIES = 1_500
/** Most matches of this tick, the nearest first, and most remaining tickets, the oldest first, that exchange tickets. */
const MAX_MATCHES = 64
const MAX_SPARE = 32

/**
 * Serves an anchor (the leader of a match) where rules keep the remaining tickets apart: its match gets members of
 * matches of this tick, whose places other remaining tickets take. All members of the other matches stay served. Returns
 * whether the match was formed.
 */
export const borrowFor = (unit: Unit, search: Search, anchor: number, matches: number[][]): boolean => {
  const { players } = unit.columns
  const size = (places: readonly number[]) =>
    places.reduce((sum, place) => sum + (players[unit.slot(place)] as number), 0)
  const part = search.largestPart(unit, anchor)
  const left = [...unit.byAge].filter((place) => unit.served[place] === 0 && place !== anchor)
  if (size([anchor, ...left]) < search.fullSize) return false
  const near = nearest(unit, anchor, matches)
  let tries = 0
  const isMatch = (places: readonly number[]) => tries++ < MAX_TRIES && search.isMatch(unit, places)
  for (let kept = part.length; kept > 0 && tries < MAX_TRIES; kept--) {
    const match = part.slice(0, kept)
    const spare = left.filter((place) => !match.includes(place)).slice(0, MAX_SPARE)
    const changed = near.map((places) => [...places])
    /** Puts a spare ticket in the place of a member that may join the match; returns whether there is such a member. */
    const borrow = (): boolean => {
      for (const places of changed) {
        for (const [seat, member] of places.entries()) {
          if (match.includes(member) || tries++ > MAX_TRIES || !search.isPart(unit, [...match, member])) continue
          for (const [index, place] of spare.entries()) {
            if (players[unit.slot(place)] !== players[unit.slot(member)]) continue
            places[seat] = place
            if (isMatch(places)) {
              spare.splice(index, 1)
              match.push(member)
              return true
            }
            places[seat] = member
          }
        }
      }
      return false
    }
    let full = isMatch(match)
    while (!full && borrow()) full = isMatch(match)
    if (!full) continue
    for (const place of [...changed.flat(), ...match]) if (unit.served[place] === 0) unit.serve(place)
    near.forEach((places, index) => {
      places.splice(0, places.length, ...(changed[index] as number[]))
    })
    matches.push(match)
    return true
  }
  return false
}

/** Returns the matches nearest to an anchor in value. */
const nearest = (unit: Unit, anchor: number, matches: readonly number[][]): number[][] => {
  const distance = (places: readonly number[]) => Math.abs(unit.value(places[0] as number) - unit.value(anchor)) || 0
  return matches
    .map((places) => ({ places, away: distance(places) }))
    .sort((a, b) => a.away - b.away)
    .slice(0, MAX_MATCHES)
    .map(({ places }) => places)
}
