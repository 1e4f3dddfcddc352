import { LOBBY_STATUSES, type LobbyStatus } from '@matchyard/core'
import { LABELLED_LOOKED_AT, type LobbySort, OPEN_LOOKED_AT } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { type Prepared, prepare } from './prepare'
import type { ColumnValue } from './tables'

export interface LobbyFilter {
  readonly project: string
  readonly queue: string | null
  readonly status: string | null
  readonly region: string | null
  /** 1 to include private lobbies, 0 to leave them out. */
  readonly private: number
}
export type LobbyWindow = LobbyFilter & { readonly limit: number; readonly offset: number }
/** Window of lobbies that come after a given lobby, in the order from the newest to the oldest. */
export type WalkWindow = LobbyWindow & { readonly createdAt: number; readonly id: string }
/** The label by which lobbies are searched, and a JSON list of the other labels. */
interface Labels {
  readonly label: string
  readonly others: string
}
export type LabelledWindow = Omit<LobbyFilter, 'project'> & Labels
export interface OpenWindow {
  readonly project: string
  readonly queue: string
  /** Free seats of the last lobby of the page before; with `createdAt` and `id`, its position in the order. */
  readonly seats: number
  readonly createdAt: number
  readonly id: string
  readonly limit: number
}

const ORDERS: Record<LobbySort, string> = {
  created_at_asc: 'created_at, id',
  created_at_desc: 'created_at desc, id desc',
  player_count_desc: 'player_count desc, created_at desc, id desc',
}
/**
 * Columns of each order of the lobby browser. Another column, or another sequence of columns, would prevent the use of
 * the index.
 */
const COLUMNS: Record<LobbySort, string> = {
  created_at_asc: 'created_at, id',
  created_at_desc: 'created_at, id',
  player_count_desc: 'player_count, created_at, id',
}
const INDEXES: Record<LobbySort, string> = {
  created_at_asc: 'lobby_by_created',
  created_at_desc: 'lobby_by_created',
  player_count_desc: 'lobby_by_players',
}

// The query names the index, because a planner without statistics would prefer to sort.
const search = (sort: LobbySort, status: string) => `
  select rowid as row, ${COLUMNS[sort]} from lobby indexed by ${INDEXES[sort]}
  where project_id = @project and status = ${status}
    and (@queue is null or queue_id = @queue)
    and (@region is null or region = @region)
    and (@private or is_private = 0)`

/** A query without a status merges five searches, each in the order of the index, so that nothing is sorted. */
const searchAll = (sort: LobbySort, more = '') =>
  LOBBY_STATUSES.map((status) => `${search(sort, `'${status}'`)} ${more}`).join(' union all ')

/** Condition for rows after a position. The search of the index begins at that position. */
const OLDER = 'and (created_at, id) < (@createdAt, @id)'

// Returns a statement that reads only the index. Then only the bodies of the page are read, one by one.
const browse = <Window extends LobbyWindow>(db: Database, sort: LobbySort, found: string) =>
  prepare<[Window], number>(db, `${found} order by ${ORDERS[sort]} limit @limit offset @offset`).pluck()

/** Whether the lobby has all labels of a list. */
const hasAll = (id: string, labels: string) => `not exists (
    select 1 from json_each(${labels}) as asked
    where not exists (select 1 from lobby_label as other where other.label = asked.value and other.lobby_id = ${id}))`

/**
 * Returns a query that examines at most a fixed number of lobbies with the leading label, and checks their other
 * labels.
 */
const looked = (order: 'asc' | 'desc') => `
  (select lobby_id as id from lobby_label where label = @label order by lobby_id ${order} limit ${LABELLED_LOOKED_AT}) as lead`

/**
 * Returns a statement that reads the rows of matching lobbies, in order. It reads no bodies, so only small columns are
 * sorted.
 */
const labelled = <Window extends LabelledWindow>(db: Database, sort: LobbySort, more = '') =>
  prepare<[Window], number>(
    db,
    `
      select lobby.rowid from ${looked(sort === 'created_at_asc' ? 'asc' : 'desc')} cross join lobby on lobby.id = lead.id
      where ${hasAll('lead.id', '@others')}
        and (@queue is null or queue_id = @queue)
        and (@status is null or status = @status)
        and (@region is null or region = @region)
        and (@private or is_private = 0) ${more}
      order by ${ORDERS[sort].replaceAll(/\b(player_count|created_at|id)\b/g, 'lobby.$1')}`,
  ).pluck()

const FULLEST = 'free_seats, created_at, id'

const AFTER = '(free_seats, created_at, id) > (@seats, @createdAt, @id)'

/** Returns a query of the fullest open lobbies. It names the index for the same reason as `search`. */
const open = (columns: string) => `
  select ${columns} from lobby indexed by lobby_open
  where project_id = @project and queue_id = @queue and free_seats > 0 and ${AFTER} order by ${FULLEST}`

type Browse = Prepared<[LobbyWindow], number>

export const lobbyStatements = (db: Database) => {
  const bySort = (found: (sort: LobbySort) => string): Record<LobbySort, Browse> => ({
    created_at_asc: browse(db, 'created_at_asc', found('created_at_asc')),
    created_at_desc: browse(db, 'created_at_desc', found('created_at_desc')),
    player_count_desc: browse(db, 'player_count_desc', found('player_count_desc')),
  })
  return {
    browse: bySort((sort) => searchAll(sort)),
    browseStatus: bySort((sort) => search(sort, '@status')),
    walk: browse<WalkWindow>(db, 'created_at_desc', searchAll('created_at_desc', OLDER)),
    walkStatus: browse<WalkWindow>(db, 'created_at_desc', `${search('created_at_desc', '@status')} ${OLDER}`),
    walkLabelled: labelled<LabelledWindow & Pick<WalkWindow, 'createdAt' | 'id'>>(
      db,
      'created_at_desc',
      OLDER.replace(' id)', ' lobby.id)'),
    ),
    labelled: {
      created_at_asc: labelled(db, 'created_at_asc'),
      created_at_desc: labelled(db, 'created_at_desc'),
      player_count_desc: labelled(db, 'player_count_desc'),
    },
    /** Number of lobbies with a label, counted only up to the number that a query examines. */
    having: prepare<[string], number>(
      db,
      `select count(*) from (select 1 from lobby_label where label = ? limit ${LABELLED_LOOKED_AT})`,
    ).pluck(),
    /** Ids of the lobbies in `in_queue` with a label, among the newest lobbies with this label. */
    searching: prepare<[string], string>(
      db,
      `select lead.id from ${looked('desc').replace('@label', '?')} cross join lobby on lobby.id = lead.id where status = 'in_queue'`,
    ).pluck(),
    body: prepare<[number], string>(db, 'select body from lobby where rowid = ?').pluck(),
    open: prepare<[OpenWindow], number>(db, `${open('rowid')} limit @limit`).pluck(),
    openFitting: prepare<[OpenWindow & { readonly labels: string }], number>(
      db,
      `
        select near.row from (${open(`rowid as row, ${FULLEST}`)} limit ${OPEN_LOOKED_AT}) as near
        where ${hasAll('near.id', '@labels')} order by near.free_seats, near.created_at, near.id limit @limit`,
    ).pluck(),
    // The column of free seats comes after the body in a row, so it is read for only as many rows as the fullest
    // lobbies need.
    openLabelled: prepare<[Omit<OpenWindow, 'project' | 'queue'> & Labels], number>(
      db,
      `
        select lobby.rowid from (
          select lead.id from ${looked('asc')} where ${hasAll('lead.id', '@others')} limit ${OPEN_LOOKED_AT}
        ) as found cross join lobby on lobby.id = found.id
        where free_seats > 0 and ${AFTER.replace(' id)', ' lobby.id)')} order by free_seats, created_at, lobby.id limit @limit`,
    ).pluck(),
    total: prepare<[LobbyFilter], number>(
      db,
      `
        select coalesce(sum(n), 0) from lobby_count
        where project_id = @project
          and (@queue is null or queue_id = @queue)
          and (@status is null or status = @status)
          and (@region is null or region = @region)
          and (@private or is_private = 0)`,
    ).pluck(),
    addCount: prepare<ColumnValue[]>(
      db,
      `
        insert into lobby_count (project_id, queue_id, status, region, is_private, n) values (?, ?, ?, ?, ?, ?)
        on conflict do update set n = n + excluded.n`,
    ),
    byStatus: prepare<[], { status: LobbyStatus; n: number }>(
      db,
      'select status, sum(n) as n from lobby_count group by status',
    ),
  }
}

export type LobbyStatements = ReturnType<typeof lobbyStatements>
