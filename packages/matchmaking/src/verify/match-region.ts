import { levelAt, type MatchFormat, type RuleLevels } from '../config/match-format'
import { readStrings } from '../rules/read'
import { ALL_REGIONS, REGION_CODES, regionBit } from '../rules/region-mask'
import { DEFAULT_REGION } from '../rules/regions'
import type { Ticket } from '../types'

/** The ticket whose waiting time sets the bounds of a match. `tickets` are longest waiting first. */
export const rulingTicket = (format: MatchFormat, tickets: readonly Ticket[]): Ticket =>
  tickets[format.ageOf === 'oldest' ? 0 : tickets.length - 1] as Ticket

/** Where the server of a match starts (design, §1.5 and §6). `tickets` are longest waiting first and pass the rules. */
export const matchRegion = (format: MatchFormat, tickets: readonly Ticket[], now: number): string => {
  const fallback = format.serverRegion ?? tickets[0]?.region ?? DEFAULT_REGION
  const level = levelAt(format, rulingTicket(format, tickets).enteredAt, now)
  const on = (shape: string): RuleLevels[] =>
    format.rules.filter((rule) => rule.kind.shape === shape && !rule.off[level])
  const lists = on('mask')
  const latencies = on('ceiling')
  let shared = ALL_REGIONS
  let listed = false
  for (const { rule, kind } of lists) {
    for (const mask of readAll(tickets, (state) => kind.read(state, rule) as number | undefined)) {
      shared &= mask
      listed = true
    }
  }
  const byPing = lowestPing(format, latencies, level, tickets, shared)
  if (byPing) return byPing
  if (!listed) return fallback
  if (format.serverRegion && shared & regionBit(format.serverRegion)) return format.serverRegion
  for (const ticket of tickets) {
    const state = ticket.players[0]?.state ?? {}
    for (const { field } of lists) {
      const list = readStrings(state, field)
      const first = list?.find((code) => shared & regionBit(code))
      if (first) return first
    }
  }
  return REGION_CODES.find((code) => shared & regionBit(code)) ?? fallback
}

const readAll = <V>(tickets: readonly Ticket[], read: (state: Ticket['players'][0]['state']) => V | undefined): V[] =>
  tickets.flatMap((ticket) => ticket.players.map((player) => read(player.state))).filter((value) => value !== undefined)

/** The shared region whose worst ping is lowest; ties by the queue's region, then by code. */
const lowestPing = (
  format: MatchFormat,
  rules: readonly RuleLevels[],
  level: number,
  tickets: readonly Ticket[],
  shared: number,
): string | undefined => {
  const pings = rules.flatMap(({ rule, kind, bounds }) =>
    readAll(tickets, (state) => kind.read(state, rule) as readonly number[] | undefined).map((map) => ({
      map,
      bound: bounds[level] as number,
    })),
  )
  if (pings.length === 0) return undefined
  let best: string | undefined
  let lowest = Number.POSITIVE_INFINITY
  REGION_CODES.forEach((code, index) => {
    if (!(shared & regionBit(code)) || pings.some(({ map, bound }) => (map[index] as number) > bound)) return
    const worst = Math.max(...pings.map(({ map }) => map[index] as number))
    if (worst < lowest || (worst === lowest && code === format.serverRegion)) {
      lowest = worst
      best = code
    }
  })
  return best
}
