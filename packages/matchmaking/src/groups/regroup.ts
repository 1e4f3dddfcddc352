import type { Reasons } from './reasons'
import type { Search } from './search'
import type { Unit } from './unit'

/**
 * Most tickets of a part that is regrouped. In larger parts an anchor rarely stays without a match, and many attempts
 * would cost much time.
 */
export const MAX_REGROUPED_UNIT = 96
/** Most matches that are taken apart for one anchor, the nearest match first. */
const MAX_MATCHES = 4
/** Most members of one match that the search tries to move to another match. */
const MAX_MEMBERS = 12

/**
 * Serves an anchor (the leader of a match) that found no match among the remaining tickets, by taking apart a match of
 * this tick. First the function looks for two matches that serve the anchor and all members of the old match: one
 * member moves to another match, and a remaining ticket takes the member's place. If there are no such matches, the
 * anchor replaces a younger member, and the member waits again.
 */
export const regroupFor = (
  unit: Unit,
  search: Search,
  anchor: number,
  matches: number[][],
  reasons: Reasons,
): 'added' | 'replaced' | 'stays' => {
  const middle = (places: readonly number[]) => distance(unit, anchor, places)
  const nearest = [...matches].sort((a, b) => middle(a) - middle(b)).slice(0, MAX_MATCHES)
  for (const match of reasons.count > matches.length ? nearest : []) {
    const anew = takeApart(unit, search, anchor, match, reasons)
    if (!anew) continue
    matches.splice(matches.indexOf(match), 1, ...anew)
    return 'added'
  }
  return nearest.some((match) => replaceYounger(unit, search, anchor, match)) ? 'replaced' : 'stays'
}

/**
 * Replaces the youngest possible member of a match by the anchor. The member must be younger than the anchor, and the
 * match must stay valid.
 */
const replaceYounger = (unit: Unit, search: Search, anchor: number, match: number[]): boolean => {
  const { players } = unit.columns
  const older = (a: number, b: number) => unit.columns.older(unit.slot(a), unit.slot(b))
  const size = players[unit.slot(anchor)]
  const younger = match.filter((place) => players[unit.slot(place)] === size && older(anchor, place))
  if (younger.length === 0 || !search.mayReplace(unit, anchor, match)) return false
  younger.sort((a, b) => (older(a, b) ? 1 : -1))
  for (const place of younger.slice(0, MAX_MEMBERS)) {
    const changed = match.map((member) => (member === place ? anchor : member))
    if (!search.isMatch(unit, changed)) continue
    match.splice(0, match.length, ...changed)
    unit.restore(place)
    unit.serve(anchor)
    return true
  }
  return false
}

const distance = (unit: Unit, anchor: number, places: readonly number[]): number => {
  const gaps = places.map((place) => Math.abs(unit.value(place) - unit.value(anchor)))
  const known = gaps.filter((gap) => !Number.isNaN(gap))
  return known.length === 0 ? 0 : Math.min(...known)
}

const takeApart = (
  unit: Unit,
  search: Search,
  anchor: number,
  match: readonly number[],
  reasons: Reasons,
): number[][] | undefined => {
  const { columns } = unit
  const members = [anchor, ...match].sort((a, b) => (columns.older(unit.slot(a), unit.slot(b)) ? -1 : 1))
  // Each of the two or more new matches needs a leader that is a reason (see `Reasons`).
  if (members.filter((place) => reasons.has(unit.slot(place))).length < 2) return undefined
  for (const place of match) unit.restore(place)
  for (const elsewhere of members.slice(1, 1 + MAX_MEMBERS)) {
    const anew = rebuild(unit, search, members, elsewhere, reasons)
    if (anew) return anew
  }
  for (const place of match) unit.serve(place)
  return undefined
}

/**
 * Puts all members of a match that was taken apart into new matches. The member `elsewhere` may not be in the first of
 * them. Undoes all changes when a member would stay without a match.
 */
const rebuild = (
  unit: Unit,
  search: Search,
  members: readonly number[],
  elsewhere: number,
  reasons: Reasons,
): number[][] | undefined => {
  const anew: number[][] = []
  let left = [...members]
  while (left.length > 0) {
    const leader = left[0] as number
    const without = anew.length === 0 ? unit.slot(elsewhere) : undefined
    const found = reasons.stand(unit, unit.slot(leader)) ? search.full(unit, leader, without) : undefined
    if (!found) {
      for (const places of anew) for (const place of places) unit.restore(place)
      return undefined
    }
    anew.push([...found])
    for (const place of found) unit.serve(place)
    left = left.filter((place) => unit.served[place] === 0)
  }
  return anew
}
