import { type MatchmakingConfig, REGIONS, type Ticket, type TicketPlayer } from '@matchyard/matchmaking'
import { ticketsByAge } from './oracle'
import { relaxed } from './relaxed'

/** A player's ping in milliseconds, by region. */
type Pings = ReadonlyMap<string, number>

/**
 * Returns the region in which a match of these tickets starts. The function follows the documentation and uses no code
 * of the engine. The tickets must keep all rules.
 */
export function regionOf(config: MatchmakingConfig, tickets: readonly Ticket[], now: number): string {
  const members = ticketsByAge(tickets)
  const ruling = config.expansionAge === 'newest' ? members.at(-1) : members[0]
  const waitedMs = now - (ruling?.enteredAt ?? now)
  const rules = (config.rules ?? []).map((rule) => relaxed(rule, waitedMs)).filter(({ off }) => !off)
  const players = members.flatMap((ticket) => ticket.players)
  const lists = rules.filter(({ type }) => type === 'region').map(({ field = 'regions' }) => field)
  const told = lists.flatMap((field) => players.flatMap((player) => listOf(player, field) ?? []))
  const served = config.servedRegions ?? REGIONS
  const isServed = (code: string) => served.includes(code)
  const allowed = REGIONS.filter((code) => config.unservedRegions === true || isServed(code))
  const shared = allowed.filter((code) => told.every((list) => list.includes(code)))

  const near = rules.flatMap(({ type, field = '', maxMs = 0 }) =>
    type === 'latency'
      ? players.flatMap((player) => pingsOf(player, field) ?? []).map((pings) => ({ pings, maxMs }))
      : [],
  )
  const worst = (code: string) => Math.max(...near.map(({ pings }) => pings.get(code) ?? Number.POSITIVE_INFINITY))
  /** Returns the served regions, or all regions when none of them is served. */
  const preferred = (codes: readonly string[]) => (codes.some(isServed) ? codes.filter(isServed) : codes)
  const reached = preferred(
    shared.filter((code) => near.every(({ pings, maxMs }) => (pings.get(code) ?? Infinity) <= maxMs)),
  )
  if (near.length > 0 && reached.length > 0) {
    const least = Math.min(...reached.map(worst))
    const best = reached.filter((code) => worst(code) === least)
    return best.find((code) => code === config.serverRegion) ?? (best[0] as string)
  }

  if (told.length > 0) {
    const open = preferred(shared)
    const hosts = members.flatMap(({ players: [host] }) => (host === undefined ? [] : [host]))
    const wanted = hosts.flatMap((host) => lists.flatMap((field) => listOf(host, field)?.[0] ?? []))
    const candidates = [config.serverRegion, ...wanted, ...open]
    const found = candidates.find((code) => open.some((one) => one === code))
    if (found != null) return found
  }
  return config.serverRegion ?? members[0]?.region ?? config.servedRegions?.[0] ?? 'iad'
}

/** Returns the list that the player's state holds in a field; undefined where the state holds no list. */
function listOf({ state }: TicketPlayer, field: string): [readonly string[]] | undefined {
  const value = state[field]
  return Array.isArray(value) && value.every((code) => typeof code === 'string') ? [value] : undefined
}

function pingsOf({ state }: TicketPlayer, field: string): [Pings] | undefined {
  const value = state[field]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value as Record<string, unknown>)
  return entries.every(([, ms]) => typeof ms === 'number') ? [new Map(entries as [string, number][])] : undefined
}
