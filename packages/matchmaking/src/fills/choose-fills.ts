import type { TicketColumns } from '../columns/ticket-columns'
import { exactFills, type FillSet, MAX_EXACT_PARTIES } from './exact-fills'
import type { Asker, Fill } from './fill'
import type { FillSearch } from './fill-search'
import { FillsByAge } from './fills-by-age'
import type { OpenSeats } from './open-seats'
import { serveInOrder } from './serve-in-order'

/**
 * Chooses the parties that join each running match with open seats, and returns these fills. `askers` are the requests
 * for players, oldest first. Adds each request whose search ended at a limit to `bounded`.
 */
export function* chooseFills(
  columns: TicketColumns,
  search: FillSearch,
  askers: readonly Asker[],
  bounded: Set<OpenSeats>,
): Generator<undefined, Fill[], undefined> {
  const fills: Fill[] = []
  for (const part of partsOf(columns, askers)) {
    const parties = [...new Set(part.flatMap(({ candidates }) => candidates))]
    parties.sort((a, b) => (columns.older(a, b) ? -1 : 1))
    yield
    if (part.every(({ seats }) => seats.open === 1)) fills.push(...(yield* singleSeats(part, parties)))
    else {
      const exact = parties.length <= MAX_EXACT_PARTIES ? yield* allFills(columns, search, part, parties) : undefined
      fills.push(...(exact ?? (yield* new FillsByAge(columns, search, part, bounded).find())))
    }
  }
  return fills
}

/**
 * Divides the requests into parts that can be decided separately. Requests that could take the same party, directly or
 * through other requests, are in one part.
 */
function partsOf(columns: TicketColumns, askers: readonly Asker[]): Asker[][] {
  /**
   * `wanted`, by the slot of a party: the number of a request that could take the party, plus 1. `part`, by request:
   * another request of the same part (a union-find structure).
   */
  const wanted = new Int32Array(columns.high)
  const part = askers.map((_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (part[root] !== root) root = part[root] = part[part[root] as number] as number
    return root
  }
  askers.forEach(({ candidates }, index) => {
    for (const slot of candidates) {
      const other = (wanted[slot] as number) - 1
      if (other < 0) wanted[slot] = index + 1
      else {
        const [a, b] = [rootOf(index), rootOf(other)]
        part[Math.max(a, b)] = Math.min(a, b)
      }
    }
  })
  const parts = new Map<number, Asker[]>()
  askers.forEach((asker, index) => {
    const root = rootOf(index)
    const members = parts.get(root)
    if (members) members.push(asker)
    else parts.set(root, [asker])
  })
  return [...parts.values()]
}

/**
 * Assigns parties to requests with one open seat each, as a bipartite matching. The search first finds the requests
 * that can be served, oldest first. For these requests it then finds the parties that can be served, oldest first. A
 * matching that serves all these requests and all these parties always exists (Mendelsohn and Dulmage 1958).
 */
function* singleSeats(part: readonly Asker[], parties: readonly number[]): Generator<undefined, Fill[], undefined> {
  const places = new Map(parties.map((slot, place) => [slot, place]))
  const wishes = part.map(({ candidates }) => candidates.map((slot) => places.get(slot) as number))
  const given = yield* serveInOrder(wishes, parties.length, part.length)
  const served = [...part.keys()].filter((request) => (given[request] as number) >= 0)
  const asked = parties.map((): number[] => [])
  for (const request of served) for (const place of wishes[request] as number[]) asked[place]?.push(request)
  const taken = yield* serveInOrder(asked, part.length, served.length)
  return [...parties.keys()]
    .filter((place) => (taken[place] as number) >= 0)
    .map((place) => ({ seats: (part[taken[place] as number] as Asker).seats, slots: [parties[place] as number] }))
}

/**
 * Returns the best choice of fills, found by examining all possible fills of a few parties; undefined where the search
 * ended at a limit.
 */
function* allFills(
  columns: TicketColumns,
  search: FillSearch,
  part: readonly Asker[],
  parties: readonly number[],
): Generator<undefined, Fill[] | undefined, undefined> {
  const fills: FillSet[][] = []
  for (const { seats, candidates } of part) {
    const own: FillSet[] = []
    search.run(seats, candidates, (slots) => {
      const set = slots.reduce((bits, slot) => bits | (1 << parties.indexOf(slot)), 0)
      own.push({ set, players: slots.reduce((sum, slot) => sum + (columns.players[slot] as number), 0) })
      return false
    })
    if (search.bounded) return undefined
    fills.push(own)
    yield
  }
  const chosen = yield* exactFills(fills)
  return chosen?.flatMap((set, request) =>
    set === 0 ? [] : { seats: (part[request] as Asker).seats, slots: parties.filter((_, place) => (set >> place) & 1) },
  )
}
