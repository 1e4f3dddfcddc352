import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import type { Unit } from './unit'

/**
 * Forms the full matches of a unit of single players anew: sorts all matched players by value and cuts the list into
 * consecutive matches. This gives the least total spread. The function does so only where all players have the same
 * bound and bucket, because the new matches are then as valid as the old matches, and only if no match contains a
 * player twice. Otherwise it returns `matches` unchanged.
 */
export const chunkAnew = (columns: TicketColumns, format: MatchFormat, unit: Unit, matches: number[][]): number[][] => {
  const full = format.fullSize
  const slots = matches.filter((members) => members.length === full).flat()
  const [first] = slots
  const alike = (slot: number) => columns.bucket[slot] === columns.bucket[first as number]
  if (slots.length < 2 * full || unit.present < unit.count || !unit.sameLevel || !slots.every(alike)) return matches
  slots.sort((a, b) => (columns.order[a] as number) - (columns.order[b] as number) || (columns.older(a, b) ? -1 : 1))
  const chunks: number[][] = []
  for (let at = 0; at < slots.length; at += full) {
    const chunk = slots.slice(at, at + full)
    const players = new Set(chunk.map((slot) => columns.tickets[slot]?.players[0]?.playerId))
    if (players.size < full) return matches
    chunks.push(chunk)
  }
  return [...chunks, ...matches.filter((members) => members.length !== full)]
}
