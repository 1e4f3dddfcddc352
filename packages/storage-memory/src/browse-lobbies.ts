import type { Lobby, Page } from '@matchyard/core'
import {
  askedLabels,
  LABELLED_LOOKED_AT,
  type LobbyQuery,
  OPEN_LOOKED_AT,
  type OpenLobbyQuery,
  openLabels,
  type Place,
  type PlayerSearch,
  playerLabel,
} from '@matchyard/core/ports'
import {
  type Cell,
  type Entry,
  fullestFirst,
  type LobbyIndex,
  lobbyIndexOf,
  mostPlayersFirst,
  newestFirst,
  oldestFirst,
} from './lobby-index'
import { countWithin, type MemoryData, stored } from './memory-data'
import { merged, type Order } from './sorted-list'

const ORDERS: Readonly<Record<LobbyQuery['sort'], Order<Entry>>> = {
  created_at_asc: oldestFirst,
  created_at_desc: newestFirst,
  player_count_desc: mostPlayersFirst,
}

export function browse(data: MemoryData, query: LobbyQuery): Page<Lobby> {
  const index = lobbyIndexOf(data)
  const labels = askedLabels(query)
  const [total, found] = labels.length > 0 ? labelled(index, query, labels) : unlabelled(index, query)
  const page = cut(found, query)
  return { total, data: lobbiesOf(data, page.slice(0, countWithin(data, 'lobby', page, query.maxBytes))) }
}

/**
 * Returns the number of lobbies that pass the filter, and an iterator of these lobbies in the order of the query. Each
 * cell of the index is sorted already, so the caller reads only its page and the entries before it.
 */
function unlabelled(index: LobbyIndex, query: LobbyQuery): [number, Iterable<Entry>] {
  const cells = [...index.cellsOf(query.projectId)].filter((cell) => isAskedFor(cell, query))
  const total = cells.reduce((sum, { byAge }) => sum + byAge.size, 0)
  const lists = cells.map((cell) => walked(cell, query))
  return [total, merged(lists, ORDERS[query.sort])]
}

function walked({ byAge, byPlayers }: Cell, { sort, before }: LobbyQuery): Iterator<Entry> {
  if (sort === 'player_count_desc') return byPlayers.values()
  return sort === 'created_at_asc' ? byAge.values() : byAge.backwards((entry) => isOlder(entry, before))
}

/**
 * Returns the number of lobbies that have all labels of the query, and these lobbies. A label is a player, a banned
 * player or a setting by which a lobby is found. Examines at most `LABELLED_LOOKED_AT` lobbies with the rarest label,
 * beginning with the newest or the oldest lobby, as the order of the query requires.
 */
function labelled(index: LobbyIndex, query: LobbyQuery, labels: readonly string[]): [number, Iterable<Entry>] {
  const [rarest, others] = rarestFirst(index, labels)
  const looked = first(LABELLED_LOOKED_AT, query.sort === 'created_at_asc' ? rarest.values() : rarest.backwards())
  const found = looked.filter((entry) => isAskedFor(entry.cell, query) && hasAll(entry, others))
  const order = ORDERS[query.sort]
  return [found.length, found.filter((entry) => isOlder(entry, query.before)).sort(order)]
}

/** Returns the fullest open lobbies of a queue that match the query. */
export function fullestOpen(data: MemoryData, query: OpenLobbyQuery): Lobby[] {
  const { projectId, queueId, settings, after, limit } = query
  const index = lobbyIndexOf(data)
  const labels = openLabels(projectId, queueId, settings)
  const isPast = (entry: Entry) => after === undefined || fullestFirst(entry, after) > 0
  const open = index.openIn(projectId, queueId)
  if (open === undefined) return []
  if (labels.length === 0) return lobbiesOf(data, first(limit, open.values(isPast)))
  const near = first(OPEN_LOOKED_AT, open.values(isPast)).filter((entry) => hasAll(entry, labels))
  if (near.length > 0) return lobbiesOf(data, near.slice(0, limit))
  const [rarest, others] = rarestFirst(index, labels)
  const found = first(LABELLED_LOOKED_AT, rarest.values()).filter((entry) => hasAll(entry, others) && isPast(entry))
  return lobbiesOf(data, found.sort(fullestFirst).slice(0, limit))
}

/** Returns the lobbies in `in_queue` of some players. */
export function searchesOf(data: MemoryData, projectId: string, playerIds: readonly string[]): PlayerSearch[] {
  const index = lobbyIndexOf(data)
  return [...new Set(playerIds)].flatMap((playerId) =>
    first(LABELLED_LOOKED_AT, index.having(playerLabel(projectId, playerId)).backwards()).flatMap(({ id, cell }) =>
      cell.filter.status === 'in_queue' ? [{ playerId, lobbyId: id }] : [],
    ),
  )
}

const isAskedFor = ({ filter }: Cell, { queueId, status, region, includePrivate }: LobbyQuery) =>
  (includePrivate || !filter.isPrivate) &&
  (queueId === undefined || queueId === filter.queueId) &&
  (status === undefined || status === filter.status) &&
  (region === undefined || region === filter.region)

const hasAll = ({ labels }: Entry, asked: readonly string[]) => asked.every((label) => labels.includes(label))

/** Whether the entry comes after `before` in the order from the newest to the oldest. */
const isOlder = (entry: Entry, before: Place | undefined) => before === undefined || newestFirst(before, entry) < 0

/** Returns the lobbies that have the rarest of the labels, and the other labels. */
function rarestFirst(index: LobbyIndex, labels: readonly string[]): [ReturnType<LobbyIndex['having']>, string[]] {
  const counted = labels.map((label) => ({ label, having: index.having(label) }))
  const [rarest, ...others] = counted.sort((a, b) => a.having.size - b.having.size)
  return [rarest?.having ?? index.having(''), others.map(({ label }) => label)]
}

function first(count: number, entries: Iterable<Entry>): Entry[] {
  const taken: Entry[] = []
  for (const entry of entries) {
    if (taken.length === count) break
    taken.push(entry)
  }
  return taken
}

function cut(entries: Iterable<Entry>, { offset, limit }: LobbyQuery): Entry[] {
  return first(offset + limit, entries).slice(offset)
}

const lobbiesOf = (data: MemoryData, entries: readonly Entry[]): Lobby[] =>
  entries.flatMap(({ id }) => {
    const lobby = stored(data, 'lobby', id)
    return lobby === undefined ? [] : [lobby.value]
  })
