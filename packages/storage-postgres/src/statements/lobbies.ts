import { LOBBY_STATUSES } from '@matchyard/core'
import { LABELLED_LOOKED_AT, LOBBY_SORTS, type LobbySort } from '@matchyard/core/ports'
import { jsonListIn } from '../column-text'
import { type PageRow, pageOf, pageText } from './lists'
import { type Statement, statement } from './statement'

const ORDERS: Readonly<Record<LobbySort, string>> = {
  created_at_asc: 'created_at, id',
  created_at_desc: 'created_at desc, id desc',
  player_count_desc: 'player_count desc, created_at desc, id desc',
}

/**
 * Condition of lists of lobbies. Parameters: project, queue, region, whether to include private lobbies (0 or 1);
 * limit, offset.
 */
const FILTER = `
  project_id = $1
  and ($2::text is null or queue_id = $2)
  and ($3::text is null or region = $3)
  and ($4::bigint = 1 or is_private = 0)`

const STATUSES = LOBBY_STATUSES.map((status) => `('${status}')`).join(', ')

const total = (status: string) =>
  `select coalesce(sum(n), 0)::bigint as total from lobby_count where ${FILTER} ${status}`

/**
 * Returns the condition for lobbies after a position. Its instant and its id are the parameters with the numbers `from`
 * and `from + 1`.
 */
const older = (from: number) => `and (created_at, id) < ($${from}::bigint, $${from + 1})`

/**
 * Returns the statement that lists the lobbies of one status. The seventh parameter is the status, the eighth the
 * maximum bytes.
 */
const ofStatus = (sort: LobbySort, name = `browse_status_${sort}`, more = '') =>
  pageOf(
    name,
    total('and status = $7'),
    `select body, player_count, created_at, id from lobby where ${FILTER} and status = $7 ${more}
     order by ${ORDERS[sort]} limit $5 offset $6`,
    prefixed(ORDERS[sort]),
    8,
  )

// Returns the statement that lists the lobbies of all statuses. The seventh parameter is the maximum bytes. The index
// has the lobbies of each status in this order, so the page is merged from the first rows of each status.
const ofAny = (sort: LobbySort, name = `browse_${sort}`, more = '') =>
  pageOf(
    name,
    total(''),
    `select l.* from (values ${STATUSES}) as s(status)
     cross join lateral (
       select body, player_count, created_at, id from lobby where ${FILTER} and lobby.status = s.status ${more}
       order by ${ORDERS[sort]} limit $5::bigint + $6::bigint
     ) as l
     order by ${prefixed(ORDERS[sort], 'l')} limit $5 offset $6`,
    prefixed(ORDERS[sort]),
    7,
  )

// This condition must have the same text as in the index, so that the planner uses the index.
const LABELS = `string_to_array(labels, chr(1)) @> ${jsonListIn('$1')}`

const SEEKING = `
  ($2::text is null or queue_id = $2)
  and ($3::text is null or region = $3)
  and ($4::bigint = 1 or is_private = 0)
  and ($7::text is null or status = $7)`

/**
 * Returns the list of lobbies with labels. Parameters: labels, which contain the project; queue, region, whether to
 * include private lobbies (0 or 1); limit, offset; status; project; bytes. The index of labels gives up to
 * `LABELLED_LOOKED_AT` lobbies in any order. When the index gives that many, the first lobbies of the project in the
 * requested order are searched too. Bodies are read only for the page.
 */
const labelled = (sort: LobbySort, name = `browse_labelled_${sort}`, more = '') =>
  statement<PageRow>(
    name,
    `with few as materialized (
       select id, player_count, created_at, queue_id, region, is_private, status from lobby
       where ${LABELS} limit ${LABELLED_LOOKED_AT}
     ), near as materialized (
       select l.* from (values ${STATUSES}) as s(status)
       cross join lateral (
         select id, player_count, created_at, labels from lobby
         where project_id = $8 and lobby.status = s.status and ${SEEKING}
         order by ${ORDERS[sort]} limit ${LABELLED_LOOKED_AT}
       ) as l
       where (select count(*) from few) = ${LABELLED_LOOKED_AT} and ($7::text is null or s.status = $7)
     ), found as materialized (
       select id, player_count, created_at from few where ${SEEKING}
       union select id, player_count, created_at from near where ${LABELS}
     )
     ${pageText(
       'select count(*) from found',
       `select lobby.body, f.player_count, f.created_at, f.id
        from (select * from found where true ${more} order by ${ORDERS[sort]} limit $5 offset $6) as f
        join lobby on lobby.id = f.id`,
       prefixed(ORDERS[sort]),
       9,
     )}`,
  )

const FULLEST = 'free_seats, created_at, id'

/**
 * Returns a query of the fullest open lobbies. Parameters: project, queue, limit; free seats, creation time and id of
 * the last lobby of the page before.
 */
const open = (columns: string) => `
  select ${columns} from lobby
  where project_id = $1 and queue_id = $2 and free_seats > 0 and (${FULLEST}) > ($4::bigint, $5::bigint, $6)
  order by ${FULLEST} limit $3`

const bodies = (name: string, text: string) => statement<{ body: string }>(name, text)

const prefixed = (order: string, alias = 'p') => order.replaceAll(/\b(player_count|created_at|id)\b/g, `${alias}.$1`)

const bySort = (make: (sort: LobbySort) => Statement<PageRow>) =>
  Object.fromEntries(LOBBY_SORTS.map((sort) => [sort, make(sort)])) as Record<LobbySort, Statement<PageRow>>

export const lobbyStatements = {
  browse: bySort((sort) => ofAny(sort)),
  browseStatus: bySort((sort) => ofStatus(sort)),
  browseLabelled: bySort((sort) => labelled(sort)),
  /**
   * Lists the lobbies after a position, newest first. The instant and the id of the position are the last two
   * parameters.
   */
  walk: ofAny('created_at_desc', 'walk', older(8)),
  walkStatus: ofStatus('created_at_desc', 'walk_status', older(9)),
  walkLabelled: labelled('created_at_desc', 'walk_labelled', older(10)),
  /** Number of lobbies. Parameters: those of the filter. */
  count: statement<{ total: number }>('count_lobbies', total('')),
  /** Lobbies in `in_queue` that have one of some labels, with this label. Parameter: labels. */
  searching: statement<{ label: string; id: string }>(
    'lobbies_searching',
    `select asked.label, l.id from unnest(${jsonListIn('$1')}) as asked(label)
     cross join lateral (
       select id, status from lobby where string_to_array(labels, chr(1)) @> array[asked.label]
       limit ${LABELLED_LOOKED_AT}
     ) as l
     where l.status = 'in_queue'`,
  ),
  open: bodies('open_lobbies', open('body')),
  /**
   * Lobbies that have the labels, among the fullest open lobbies. The seventh parameter is the labels, the eighth the
   * limit of the result.
   */
  openFitting: bodies(
    'open_lobbies_fitting',
    `select lobby.body from (
       select ${FULLEST} from (${open(`labels, ${FULLEST}`)}) as looked
       where string_to_array(labels, chr(1)) @> ${jsonListIn('$7')} order by ${FULLEST} limit $8
     ) as p join lobby on lobby.id = p.id order by p.free_seats, p.created_at, p.id`,
  ),
  /**
   * Open lobbies with labels, from the index of labels. Parameters: labels, limit; free seats, creation time and id of
   * the last lobby of the page before.
   */
  openLabelled: bodies(
    'open_lobbies_labelled',
    `select lobby.body from (
       select id, free_seats, created_at from (
         select id, free_seats, created_at from lobby where ${LABELS} limit ${LABELLED_LOOKED_AT}
       ) as looked
       where free_seats > 0 and (${FULLEST}) > ($3::bigint, $4::bigint, $5) order by ${FULLEST} limit $2
     ) as p join lobby on lobby.id = p.id order by p.free_seats, p.created_at, p.id`,
  ),
}
