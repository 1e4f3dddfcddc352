import { LOBBY_STATUSES } from '@matchyard/core'
import { LOBBY_SORTS, type LobbySort } from '@matchyard/core/ports'
import { jsonListIn } from '../column-text'
import { type PageRow, pageOf } from './lists'
import { type Statement, statement } from './statement'

const ORDERS: Readonly<Record<LobbySort, string>> = {
  created_at_asc: 'created_at, id',
  created_at_desc: 'created_at desc, id desc',
  player_count_desc: 'player_count desc, created_at desc, id desc',
}

/** project, queue, region, private ones too (0 or 1); limit, offset. */
const FILTER = `
  project_id = $1
  and ($2::text is null or queue_id = $2)
  and ($3::text is null or region = $3)
  and ($4::bigint = 1 or is_private = 0)`

const STATUSES = LOBBY_STATUSES.map((status) => `('${status}')`).join(', ')

const total = (status: string) => `select coalesce(sum(n), 0)::bigint from lobby_count where ${FILTER} ${status}`

/** The seventh parameter is the status. */
const ofStatus = (sort: LobbySort) =>
  pageOf(
    `browse_status_${sort}`,
    total('and status = $7'),
    `select body, player_count, created_at, id from lobby where ${FILTER} and status = $7
     order by ${ORDERS[sort]} limit $5 offset $6`,
    prefixed(ORDERS[sort]),
  )

// Each status has an index in the wanted order; what a page of all of them shows is among the first of each.
const ofAny = (sort: LobbySort) =>
  pageOf(
    `browse_${sort}`,
    total(''),
    `select l.* from (values ${STATUSES}) as s(status)
     cross join lateral (
       select body, player_count, created_at, id from lobby where ${FILTER} and lobby.status = s.status
       order by ${ORDERS[sort]} limit $5::bigint + $6::bigint
     ) as l
     order by ${prefixed(ORDERS[sort], 'l')} limit $5 offset $6`,
    prefixed(ORDERS[sort]),
  )

// As the index spells it.
const LABELS = `string_to_array(labels, chr(1)) @> ${jsonListIn('$1')}`

/** labels, which name the project; queue, region, private ones too (0 or 1); limit, offset; status. */
const LABELLED = `${LABELS}
  and ($2::text is null or queue_id = $2)
  and ($3::text is null or region = $3)
  and ($4::bigint = 1 or is_private = 0)
  and ($7::text is null or status = $7)`

const labelled = (sort: LobbySort) =>
  pageOf(
    `browse_labelled_${sort}`,
    `select count(*) from lobby where ${LABELLED}`,
    `select body, player_count, created_at, id from lobby where ${LABELLED}
     order by ${ORDERS[sort]} limit $5 offset $6`,
    prefixed(ORDERS[sort]),
  )

const FULLEST = 'free_seats, created_at, id'

/** project, queue, how many. */
const open = (columns: string) => `
  select ${columns} from lobby where project_id = $1 and queue_id = $2 and free_seats > 0 order by ${FULLEST} limit $3`

const bodies = (name: string, text: string) => statement<{ body: string }>(name, text)

const prefixed = (order: string, alias = 'p') => order.replaceAll(/\b(player_count|created_at|id)\b/g, `${alias}.$1`)

const bySort = (make: (sort: LobbySort) => Statement<PageRow>) =>
  Object.fromEntries(LOBBY_SORTS.map((sort) => [sort, make(sort)])) as Record<LobbySort, Statement<PageRow>>

export const lobbyStatements = {
  browse: bySort(ofAny),
  browseStatus: bySort(ofStatus),
  browseLabelled: bySort(labelled),
  open: bodies('open_lobbies', open('body')),
  /** Of those; the fourth parameter is the labels, the fifth how many of them. */
  openFitting: bodies(
    'open_lobbies_fitting',
    `select body from (${open(`body, labels, ${FULLEST}`)}) as near
     where string_to_array(labels, chr(1)) @> ${jsonListIn('$4')} order by ${FULLEST} limit $5`,
  ),
  /** labels, how many. */
  openLabelled: bodies(
    'open_lobbies_labelled',
    `select body from lobby where ${LABELS} and free_seats > 0 order by ${FULLEST} limit $2`,
  ),
}
