import { levelAt, type MatchFormat } from '../config/match-format'
import { readStrings } from '../rules/read'
import { ALL_REGIONS, REGION_CODES, regionBit } from '../rules/region-mask'
import type { Ticket } from '../types'

/** Returns the ticket whose waiting time sets the bounds of a match. In `tickets`, the longest wait comes first. */
export const rulingTicket = (format: MatchFormat, tickets: readonly Ticket[]): Ticket =>
  tickets[format.ageOf === 'oldest' ? 0 : tickets.length - 1] as Ticket

/**
 * Returns the region in which the server of a match starts (`docs/matchmaking.md`, "The fields": `region`, `latency`).
 * In `tickets`, the longest wait comes first, and the tickets keep all rules.
 */
export const matchRegion = (format: MatchFormat, tickets: readonly Ticket[], now: number): string => {
  const { serverRegion, served, usualRegion } = format
  const fallback = serverRegion ?? tickets[0]?.region ?? usualRegion
  const level = levelAt(format, rulingTicket(format, tickets).enteredAt, now)
  const pings: Pings[] = []
  let shared = ALL_REGIONS
  let listed = false
  for (const { rule, kind, bounds, off } of format.rules) {
    if (off[level] || (kind.shape !== 'mask' && kind.shape !== 'ceiling')) continue
    for (const { players } of tickets) {
      for (const { state } of players) {
        const value = kind.read(state, rule)
        if (typeof value === 'number') {
          shared &= value
          listed = true
        } else if (value !== undefined) {
          pings.push({ map: value as readonly number[], bound: bounds[level] as number })
        }
      }
    }
  }
  // Players may share only regions that are not served when the configuration allows such matches.
  const [best, rest] = [shared & served, shared]
  const byPing =
    pings.length > 0 ? (lowestPing(serverRegion, pings, best) ?? lowestPing(serverRegion, pings, rest)) : undefined
  if (byPing || !listed) return byPing ?? fallback
  return listedRegion(format, level, tickets, best) ?? listedRegion(format, level, tickets, rest) ?? fallback
}

/** Returns the region of a match whose players list regions, among the shared regions `shared`. */
const listedRegion = (
  format: MatchFormat,
  level: number,
  tickets: readonly Ticket[],
  shared: number,
): string | undefined => {
  const { serverRegion } = format
  if (serverRegion && shared & regionBit(serverRegion)) return serverRegion
  return firstListed(format, level, tickets, shared) ?? REGION_CODES.find((code) => shared & regionBit(code))
}

/**
 * Returns the first region in a host's list that all players share. The list of the host who has waited longest
 * decides, among the hosts who list a shared region.
 */
const firstListed = (
  format: MatchFormat,
  level: number,
  tickets: readonly Ticket[],
  shared: number,
): string | undefined => {
  for (const { players } of tickets) {
    for (const { kind, field, off } of format.rules) {
      if (off[level] || kind.shape !== 'mask') continue
      for (const code of readStrings(players[0]?.state ?? {}, field as string) ?? [])
        if (shared & regionBit(code)) return code
    }
  }
  return undefined
}

/** The pings of a player by region, in milliseconds, and the largest ping that the rule allows. */
interface Pings {
  readonly map: readonly number[]
  readonly bound: number
}

/**
 * Returns the shared region whose highest ping is lowest. For equal pings the function prefers the queue's region, then
 * the first code in alphabetical order.
 */
const lowestPing = (serverRegion: string | undefined, pings: readonly Pings[], shared: number): string | undefined => {
  let best: string | undefined
  let lowest = Number.POSITIVE_INFINITY
  REGION_CODES.forEach((code, index) => {
    if (!(shared & regionBit(code)) || pings.some(({ map, bound }) => (map[index] as number) > bound)) return
    const worst = Math.max(...pings.map(({ map }) => map[index] as number))
    if (worst < lowest || (worst === lowest && code === serverRegion)) {
      lowest = worst
      best = code
    }
  })
  return best
}
