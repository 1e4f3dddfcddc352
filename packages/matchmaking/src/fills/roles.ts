import { cheapestPlaces } from '../seating/cheapest-places'
import { costOf } from '../seating/seat-roles'
import type { Wish } from '../verify/role-seats'

/** The roles of some players in seats that may be more than they are: most first choices, then most second ones. */
export const cheapestRoles = (
  seats: ReadonlyMap<string, number>,
  players: readonly Wish[],
): { roles: string[]; cost: number } | undefined => {
  const places = [...seats].flatMap(([role, count]) => new Array<string>(count).fill(role))
  if (players.length > places.length) return undefined
  // Seats that stay open are as good as taken by somebody whom it costs nothing.
  const costs = places.map((_, seat) =>
    places.map((role) => (seat < players.length ? costOf(players[seat], role, players.length + 1) : 0)),
  )
  const chosen = cheapestPlaces(costs)
  return chosen && { roles: chosen.places.map((place) => places[place] as string), cost: chosen.cost }
}
