import type { Lobby } from '@matchyard/core'
import { lobbyLabels, openSeats } from '@matchyard/core/ports'
import type { MemoryData } from './memory-data'
import { type Order, SortedList } from './sorted-list'

/**
 * Entry of a lobby in the index: the values by which lobbies are sorted and found. A lobby keeps the same entry object
 * as long as it exists. `LobbyIndex` changes a value only while the entry is in no list that is sorted by that value.
 */
export interface Entry {
  readonly id: string
  readonly createdAt: number
  readonly players: number
  /** Free seats of an open lobby. */
  readonly seats: number
  readonly labels: readonly string[]
  readonly cell: Cell
}
type Changing = { -readonly [Name in keyof Entry]: Entry[Name] }

/** Lobbies that have equal values of all filters of the lobby browser, sorted in each order of the browser. */
export interface Cell {
  readonly filter: Pick<Lobby, 'queueId' | 'status' | 'region' | 'isPrivate'>
  readonly byAge: SortedList<Entry>
  readonly byPlayers: SortedList<Entry>
}

// Compares texts by code units, because the order must not depend on the machine's language.
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
export type Aged = Pick<Entry, 'createdAt' | 'id'>
export const oldestFirst: Order<Aged> = (a, b) => a.createdAt - b.createdAt || byText(a.id, b.id)
export const newestFirst: Order<Aged> = (a, b) => oldestFirst(b, a)
export const mostPlayersFirst: Order<Entry> = (a, b) => b.players - a.players || newestFirst(a, b)
export const fullestFirst: Order<Pick<Entry, 'seats' | 'createdAt' | 'id'>> = (a, b) =>
  a.seats - b.seats || oldestFirst(a, b)

/**
 * Lobbies in every order that a query can ask for. A query therefore reads only its page and the entries before the
 * page. The first query builds the index from the stored rows, and every commit updates it from then on.
 */
export class LobbyIndex {
  private readonly entries = new Map<string, Entry>()
  private readonly projects = new Map<string, Map<string, Cell>>()
  private readonly openLists = new Map<string, SortedList<Entry>>()
  /**
   * Lobbies by label (a player, a banned player or a setting): one lobby, or a list when several lobbies have the
   * label. Most labels of players have only one lobby.
   */
  private readonly labelled = new Map<string, Entry | SortedList<Entry>>()

  constructor(lobbies: Iterable<Lobby>) {
    for (const lobby of lobbies) this.put(lobby, undefined)
  }

  cellsOf(projectId: string): Iterable<Cell> {
    return this.projects.get(projectId)?.values() ?? []
  }

  /** Returns the open lobbies of a queue, the fullest first. */
  openIn(projectId: string, queueId: string): SortedList<Entry> | undefined {
    return this.openLists.get(openKey(projectId, queueId))
  }

  /** Returns the lobbies with a label, the oldest first. */
  having(label: string): SortedList<Entry> {
    const found = this.labelled.get(label)
    return found instanceof SortedList ? found : listOf(oldestFirst, found)
  }

  put(lobby: Lobby, before: Lobby | undefined): void {
    const known = this.entries.get(lobby.id)
    if (known === undefined) this.add(lobby)
    else if (before === undefined || !isFoundAlike(before, lobby)) this.move(known, lobby, before)
  }

  delete(lobby: Lobby | undefined): void {
    const entry = lobby && this.entries.get(lobby.id)
    if (lobby === undefined || entry === undefined) return
    this.entries.delete(lobby.id)
    this.leaveCell(entry, lobby.projectId)
    for (const label of entry.labels) this.deleteLabel(label, entry)
    this.close(entry, lobby)
  }

  private add(lobby: Lobby): void {
    const { id, createdAt, players } = lobby
    const [seats, labels, cell] = [openSeats(lobby), lobbyLabels(lobby), this.cellFor(lobby)]
    const entry: Entry = { id, createdAt, players: players.length, seats, labels, cell }
    this.entries.set(id, entry)
    cell.byAge.add(entry)
    cell.byPlayers.add(entry)
    for (const label of new Set(labels)) this.addLabel(label, entry)
    this.open(entry, lobby)
  }

  /** Updates the entry of a known lobby, and moves it only in the lists in which its position has changed. */
  private move(entry: Changing, lobby: Lobby, before: Lobby | undefined): void {
    const [players, seats] = [lobby.players.length, openSeats(lobby)]
    const opensElsewhere = seats !== entry.seats || before?.queueId !== lobby.queueId
    if (opensElsewhere) this.close(entry, before ?? lobby)
    const cell = this.cellFor(lobby)
    if (cell !== entry.cell) {
      this.leaveCell(entry, lobby.projectId)
      entry.players = players
      entry.cell = cell
      cell.byAge.add(entry)
      cell.byPlayers.add(entry)
    } else if (players !== entry.players) {
      entry.cell.byPlayers.delete(entry)
      entry.players = players
      entry.cell.byPlayers.add(entry)
    }
    const labels = lobbyLabels(lobby)
    const [had, has] = [new Set(entry.labels), new Set(labels)]
    for (const label of had) if (!has.has(label)) this.deleteLabel(label, entry)
    for (const label of has) if (!had.has(label)) this.addLabel(label, entry)
    entry.labels = labels
    entry.seats = seats
    if (opensElsewhere) this.open(entry, lobby)
  }

  private leaveCell(entry: Entry, projectId: string): void {
    const { cell } = entry
    const cells = this.projects.get(projectId)
    cell.byAge.delete(entry)
    cell.byPlayers.delete(entry)
    if (cell.byAge.size === 0) cells?.delete(cellKey(cell.filter))
    if (cells?.size === 0) this.projects.delete(projectId)
  }

  /** Adds a lobby with free seats to the list of open lobbies of its queue. */
  private open(entry: Entry, { projectId, queueId }: Lobby): void {
    if (entry.seats === 0) return
    const key = openKey(projectId, queueId)
    const list = this.openLists.get(key)
    if (list === undefined) this.openLists.set(key, listOf(fullestFirst, entry))
    else list.add(entry)
  }

  /** Removes a lobby from the list of open lobbies of the queue that it was in. */
  private close(entry: Entry, { projectId, queueId }: Lobby): void {
    if (entry.seats === 0) return
    const key = openKey(projectId, queueId)
    const list = this.openLists.get(key)
    list?.delete(entry)
    if (list?.size === 0) this.openLists.delete(key)
  }

  private cellFor({ projectId, queueId, status, region, isPrivate }: Lobby): Cell {
    const filter = { queueId, status, region, isPrivate }
    const key = cellKey(filter)
    const cells = this.projects.get(projectId) ?? new Map<string, Cell>()
    this.projects.set(projectId, cells)
    const cell = cells.get(key) ?? { filter, byAge: listOf(oldestFirst), byPlayers: listOf(mostPlayersFirst) }
    cells.set(key, cell)
    return cell
  }

  private addLabel(label: string, entry: Entry): void {
    const found = this.labelled.get(label)
    if (found === undefined) this.labelled.set(label, entry)
    else if (found instanceof SortedList) found.add(entry)
    else this.labelled.set(label, listOf(oldestFirst, found, entry))
  }

  private deleteLabel(label: string, entry: Entry): void {
    const found = this.labelled.get(label)
    if (found instanceof SortedList) found.delete(entry)
    if (found === entry || (found instanceof SortedList && found.size === 0)) this.labelled.delete(label)
  }
}

function listOf(order: Order<Entry>, ...entries: readonly (Entry | undefined)[]): SortedList<Entry> {
  const list = new SortedList(order)
  for (const entry of entries) if (entry !== undefined) list.add(entry)
  return list
}

const openKey = (projectId: string, queueId: string) => `${projectId}/${queueId}`
const cellKey = ({ queueId, status, region, isPrivate }: Cell['filter']) =>
  `${queueId}/${status}/${region}/${isPrivate}`

/**
 * Whether two versions of a lobby have the same values by which lobbies are sorted and found. Settings are compared as
 * strings.
 */
const isFoundAlike = (a: Lobby, b: Lobby) =>
  a.status === b.status &&
  a.isPrivate === b.isPrivate &&
  a.queueId === b.queueId &&
  a.region === b.region &&
  a.maxPlayers === b.maxPlayers &&
  a.players.length === b.players.length &&
  a.players.every(({ playerId }, index) => playerId === b.players[index]?.playerId) &&
  JSON.stringify(a.banned) === JSON.stringify(b.banned) &&
  JSON.stringify(a.settings) === JSON.stringify(b.settings)

/**
 * Index of each map of stored lobbies. A store that was set back to a copy has another map, and therefore another
 * index.
 */
const INDEXES = new WeakMap<object, LobbyIndex>()

const lobbiesOf = (data: MemoryData) => data.entities.get('lobby')

export function lobbyIndexOf(data: MemoryData): LobbyIndex {
  const lobbies = lobbiesOf(data)
  if (lobbies === undefined) return new LobbyIndex([])
  let index = INDEXES.get(lobbies)
  if (index === undefined) {
    index = new LobbyIndex([...lobbies.values()].map(({ value }) => value as Lobby))
    INDEXES.set(lobbies, index)
  }
  return index
}

/** Updates the index after a lobby was stored, if the index has been built. */
export function noteLobby(data: MemoryData, before: Lobby | undefined, after: Lobby | undefined): void {
  const lobbies = lobbiesOf(data)
  const index = lobbies && INDEXES.get(lobbies)
  if (after === undefined) index?.delete(before)
  else index?.put(after, before)
}
