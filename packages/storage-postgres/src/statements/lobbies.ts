import { LOBBY_STATUSES } from '@matchyard/core'
import { LOBBY_SORTS, type LobbySort } from '@matchyard/core/ports'
import { type PageRow, pageOf } from './lists'
import type { Statement } from './statement'

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

const prefixed = (order: string, alias = 'p') => order.replaceAll(/\b(player_count|created_at|id)\b/g, `${alias}.$1`)

const bySort = (make: (sort: LobbySort) => Statement<PageRow>) =>
  Object.fromEntries(LOBBY_SORTS.map((sort) => [sort, make(sort)])) as Record<LobbySort, Statement<PageRow>>

export const lobbyStatements = { browse: bySort(ofAny), browseStatus: bySort(ofStatus) }
