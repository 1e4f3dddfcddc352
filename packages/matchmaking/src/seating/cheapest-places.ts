/**
 * Assigns each player to one place at the least total cost (the Hungarian method with potentials, Kuhn 1955, Jonker and
 * Volgenant 1987). A cost of Infinity forbids a place. There must be as many places as players. Returns the place of
 * each player; undefined where no assignment exists.
 */
export const cheapestPlaces = (
  costs: readonly (readonly number[])[],
): { places: number[]; cost: number } | undefined => {
  const count = costs.length
  const ofPlayer = new Array<number>(count + 1).fill(0)
  const ofPlace = new Array<number>(count + 1).fill(0)
  /** By place, numbered from 1: the player of the place, numbered from 1; 0 for no player. */
  const holder = new Array<number>(count + 1).fill(0)
  for (let player = 1; player <= count; player++) {
    const reach = new Array<number>(count + 1).fill(Number.POSITIVE_INFINITY)
    const from = new Array<number>(count + 1).fill(0)
    const done = new Array<boolean>(count + 1).fill(false)
    holder[0] = player
    let place = 0
    do {
      done[place] = true
      const here = holder[place] as number
      let least = Number.POSITIVE_INFINITY
      let nearest = -1
      for (let other = 1; other <= count; other++) {
        if (done[other]) continue
        const cost = (costs[here - 1]?.[other - 1] as number) - (ofPlayer[here] as number) - (ofPlace[other] as number)
        if (cost < (reach[other] as number)) {
          reach[other] = cost
          from[other] = place
        }
        if ((reach[other] as number) < least) {
          least = reach[other] as number
          nearest = other
        }
      }
      if (nearest < 0) return undefined
      for (let other = 0; other <= count; other++) {
        if (done[other]) {
          const owner = holder[other] as number
          ofPlayer[owner] = (ofPlayer[owner] as number) + least
          ofPlace[other] = (ofPlace[other] as number) - least
        } else {
          reach[other] = (reach[other] as number) - least
        }
      }
      place = nearest
    } while (holder[place] !== 0)
    while (place !== 0) {
      const before = from[place] as number
      holder[place] = holder[before] as number
      place = before
    }
  }
  const places = new Array<number>(count)
  let cost = 0
  for (let place = 1; place <= count; place++) {
    const player = (holder[place] as number) - 1
    places[player] = place - 1
    cost += costs[player]?.[place - 1] as number
  }
  return { places, cost }
}
