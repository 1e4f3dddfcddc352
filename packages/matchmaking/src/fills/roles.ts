import { cheapestPlaces } from '../seating/cheapest-places'
import { costOf } from '../seating/seat-roles'
import type { Wish } from '../verify/role-seats'

/**
 * Returns the best roles for some players: with the largest number of players in their first choice, then in their
 * second choice. There may be more seats than players. Returns undefined where no assignment exists.
 */
export const cheapestRoles = (
  seats: ReadonlyMap<string, number>,
  players: readonly Wish[],
): { roles: string[]; cost: number } | undefined => {
  const places = [...seats].flatMap(([role, count]) => new Array<string>(count).fill(role))
  if (players.length > places.length) return undefined
  // Every seat that stays open is filled by an imaginary player who takes any role at no cost.
  const costs = places.map((_, seat) =>
    places.map((role) => (seat < players.length ? costOf(players[seat], role, players.length + 1) : 0)),
  )
  const chosen = cheapestPlaces(costs)
  return chosen && { roles: chosen.places.map((place) => places[place] as string), cost: chosen.cost }
}
