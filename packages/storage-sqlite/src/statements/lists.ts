import type { WaitTotal } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { historyStatements } from './history'
import { prepare } from './prepare'

export interface BuildFilter {
  readonly project: string
  readonly name: string | null
  readonly status: string | null
  readonly type: string | null
}
interface Window {
  readonly limit: number
  readonly offset: number
}

const BUILD_FILTER = `
  project_id = @project
  and (@name is null or name = @name)
  and (@type is null or type = @type)
  and case when @status is null then status <> 'deleted' else status = @status end`

export interface BoardWindow {
  /** Names of ranges (`boardRanges`), as JSON. */
  readonly levels: string
  readonly tiers: string
  readonly place: string
  readonly limit: number
}

/** Returns the SQL that merges the ranges of a leaderboard after or before a place. Each range is read up to the limit. */
function onBoard(past: '>' | '<', order: 'asc' | 'desc'): string {
  const rangesIn = (column: string, names: string) => `
    select standing.body, standing.place from json_each(${names}) as range cross join standing
    where standing.rowid in (
      select rowid from standing where ${column} = range.value and place ${past} @place order by place ${order} limit @limit
    )`
  return `
    select body from (${rangesIn('board_tier', '@tiers')} union all ${rangesIn('board_level', '@levels')})
    order by place ${order} limit @limit`
}

/** Lists of the control plane. Totals are counted in an index, because an account has few rows of each kind. */
export const listStatements = (db: Database) => {
  const bodies = <P extends unknown[]>(sql: string) => prepare<P, string>(db, sql).pluck()
  const count = <P extends unknown[]>(sql: string) => prepare<P, number>(db, sql).pluck()
  return {
    accounts: bodies<[number, number]>('select body from account order by id limit ? offset ?'),
    accountTotal: count<[]>('select count(*) from account'),

    projects: bodies<[string, number, number]>(
      'select body from project where account_id = ? and is_deleted = 0 order by created_at, id limit ? offset ?',
    ),
    projectTotal: count<[string]>('select count(*) from project where account_id = ? and is_deleted = 0'),
    allProjects: bodies<[string]>('select body from project where account_id = ? order by created_at, id'),

    apiKeys: bodies<[string, number, number]>(
      'select body from api_key where project_id = ? order by created_at, id limit ? offset ?',
    ),
    apiKeyTotal: count<[string]>('select count(*) from api_key where project_id = ?'),

    sessions: bodies<[string, number, string, number]>(`
      select body from session where open_key = ? and (created_at, id) < (?, ?)
      order by created_at desc, id desc limit ?`),
    membersOfProject: bodies<[string, number]>('select body from member where project_id = ? order by id limit ?'),
    membersOfAccount: bodies<[string, number]>('select body from member where account_id = ? order by id limit ?'),
    invitations: bodies<[string, number]>('select body from invitation where project_id = ? order by id limit ?'),

    problems: bodies<[string, number]>('select body from problem where project_id = ? order by id limit ?'),
    projectsWithOpen: prepare<[string, number], string>(
      db,
      'select distinct project_id from problem where closed_at is null and project_id > ? order by project_id limit ?',
    ).pluck(),
    queues: bodies<[string, number, number]>(
      'select body from queue where project_id = ? order by queue_id limit ? offset ?',
    ),
    warmQueues: bodies<[]>('select body from queue where warm = 1 order by id'),
    queueTotal: count<[string]>('select count(*) from queue where project_id = ?'),

    builds: bodies<[BuildFilter & Window]>(
      `select body from build where ${BUILD_FILTER} order by created_at desc, id desc limit @limit offset @offset`,
    ),
    buildTotal: count<[BuildFilter]>(`select count(*) from build where ${BUILD_FILTER}`),
    newestReadyBuild: bodies<[string, string]>(`
      select body from build where project_id = ? and name = ? and status = 'ready' and disabled = 0
      order by build_version desc limit 1`),

    recentMatches: bodies<[string, number, number]>(`
      select body from match where queue_key = ? and created_at >= ?
      order by created_at desc, id desc limit ?`),
    machines: bodies<[number]>('select body from machine order by id limit ?'),
    bans: bodies<[string, number, string, number, number]>(`
      select body from ban where project_id = ? and (created_at, id) < (?, ?)
      order by created_at desc, id desc limit ? offset ?`),
    endedBans: bodies<[number, number]>(
      'select body from ban where until is not null and until <= ? order by until, id limit ?',
    ),
    endedBansOfProject: bodies<[string, number, number]>(
      'select body from ban where project_id = ? and until is not null and until <= ? order by until, id limit ?',
    ),
    audit: bodies<[string, number, string, number]>(`
      select body from audit where scope = ? and (created_at, id) < (?, ?)
      order by created_at desc, id desc limit ?`),
    addressedAudit: bodies<[number, number]>(
      'select body from audit where addressed_at is not null and addressed_at <= ? order by addressed_at, id limit ?',
    ),
    auditOfPlayer: bodies<[string, number]>(`
      select body from audit_label as found join audit on audit.id = found.audit_id where found.label = ?
      order by created_at desc, audit.id desc limit ?`),
    ratings: bodies<[string, number, number]>(
      'select body from rating where project_id = ? order by rating_id limit ? offset ?',
    ),
    ratingTotal: count<[string]>('select count(*) from rating where project_id = ?'),
    standings: bodies<[BoardWindow]>(onBoard('>', 'asc')),
    standingsBefore: bodies<[BoardWindow]>(onBoard('<', 'desc')),
    countBefore: count<[BoardWindow & { readonly after: string }]>(`
      select count(*) from (
        select 1 from json_each(@tiers) as range cross join standing on board_tier = range.value and place > @after and place < @place
        union all
        select 1 from json_each(@levels) as range cross join standing on board_level = range.value and place > @after and place < @place
        limit @limit
      )`),
    standingsOfPlayer: bodies<[string, string, number]>(
      'select body from standing where project_id = ? and player_id = ? limit ?',
    ),
    standingsOfRating: bodies<[string, number]>('select body from standing where rating_key = ? limit ?'),
    arrivals: bodies<[string, string, number]>('select body from arrivals where id > ? and id < ? order by id limit ?'),
    messagesOfPlayer: bodies<[string, number]>(`
      select body from message_label as found join message on message.id = found.message_id where found.label = ?
      order by created_at desc, message.id desc limit ?`),
    deliveries: bodies<[string, number, number]>(`
      select body from delivery where webhook_id = ? order by created_at desc, id desc limit ? offset ?`),
    deliveryTotal: count<[string]>('select count(*) from delivery where webhook_id = ?'),
    deliveriesOfStatus: bodies<[string, string, number, number]>(`
      select body from delivery where webhook_id = ? and status = ? order by created_at desc, id desc limit ? offset ?`),
    deliveryTotalOfStatus: count<[string, string]>('select count(*) from delivery where webhook_id = ? and status = ?'),
    // The rows are grouped in the order of the key, so nothing is sorted.
    waits: prepare<[string, number], WaitTotal>(
      db,
      `
      select players, bucket, sum(count) as count, min(least_ms) as leastMs, max(most_ms) as mostMs
      from match_wait where queue_key = ? and slot >= ?
      group by players, bucket order by players, bucket`,
    ),
    ...historyStatements(db),
  }
}

export type ListStatements = ReturnType<typeof listStatements>
