import type { Tier } from '@matchyard/core'
import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'

export interface ServerFilter {
  readonly project: string
  readonly status: string | null
  readonly region: string | null
  readonly match: string | null
  readonly tag: string | null
  readonly build: string | null
  readonly end: string | null
  /** Place of a build and a cause (`endPlace`); null without both. */
  readonly endPlace: string | null
}
interface Window {
  readonly limit: number
  readonly offset: number
}

/**
 * A row of metered usage: a sum of ended servers, or a server that no sum contains yet. Only a server has a body, and
 * its first column is its creation time.
 */
export interface MeteredRow {
  readonly begins_at: number
  readonly project_id: string
  readonly tier: Tier
  readonly seconds: number
  readonly body: string | null
}

/** Condition for live servers, spelled exactly as in the partial indexes, so that the planner uses the indexes. */
export const LIVE = `status in ('launching', 'running', 'stopping')`

const OF_PROJECT = `
  project_id = @project
  and (@status is null or status = @status)
  and (@region is null or region = @region)
  and (@tag is null or version_tag = @tag)`

const FILTER = `${OF_PROJECT} and (@build is null or build_id = @build)`

export const serverStatements = (db: Database) => {
  const bodies = <P extends unknown[]>(sql: string) => prepare<P, string>(db, sql).pluck()
  const count = <P extends unknown[]>(sql: string) => prepare<P, number>(db, sql).pluck()
  const next = <P extends unknown[]>(sql: string) => prepare<P, string | null>(db, sql).pluck()
  return {
    list: bodies<[ServerFilter & Window]>(`
      select body from server indexed by server_by_created where ${FILTER}
      order by created_at desc, id desc limit @limit offset @offset`),
    listOfMatch: bodies<[ServerFilter & Window]>(`
      select body from server where ${FILTER} and match_id = @match and (@end is null or end_reason = @end)
      order by created_at desc, id desc limit @limit offset @offset`),
    listOfBuild: bodies<[ServerFilter & Window]>(`
      select body from server indexed by server_by_build where build_id = @build and ${FILTER}
      order by created_at desc, id desc limit @limit offset @offset`),
    totalOfBuild: count<[ServerFilter]>(`select count(*) from server where build_id = @build and ${FILTER}`),
    listOfEnd: bodies<[ServerFilter & Window]>(`
      select body from server indexed by server_by_end where end_reason = @end and ${OF_PROJECT}
      order by created_at desc, id desc limit @limit offset @offset`),
    totalOfEnd: count<[ServerFilter]>(`select count(*) from server where end_reason = @end and ${OF_PROJECT}`),
    listOfEndPlace: bodies<[ServerFilter & Window]>(`
      select body from server indexed by server_by_end_place where end_place = @endPlace and ${OF_PROJECT}
      order by created_at desc, id desc limit @limit offset @offset`),
    totalOfEndPlace: count<[ServerFilter]>(`select count(*) from server where end_place = @endPlace and ${OF_PROJECT}`),
    lastEnded: bodies<[string, number]>(`
      select body from server indexed by server_ended_of_build
      where build_id = ? and stopped_at is not null and (match_id is not null or status = 'failed')
      order by stopped_at desc, id desc limit ?`),
    /**
     * Total number of servers that triggers maintain. It is valid for lists that filter neither by match nor by version
     * tag.
     */
    keptTotal: count<[ServerFilter]>(`
      select coalesce(sum(n), 0) from server_count
      where project_id = @project and (@status is null or status = @status) and (@region is null or region = @region)`),
    total: count<[ServerFilter]>(`select count(*) from server where ${FILTER}`),
    totalOfMatch: count<[ServerFilter]>(`
      select count(*) from server
      where ${FILTER} and match_id = @match and (@end is null or end_reason = @end)`),

    live: bodies<[]>(`select body from server where ${LIVE} order by created_at, id`),
    failed: bodies<[string, number, number]>(`
      select body from server where project_id = ? and status = 'failed' and stopped_at >= ?
      order by stopped_at desc, id desc limit ?`),
    failedTally: prepare<[string, number], { count: number; first: number | null }>(
      db,
      `
      select count(*) as count, min(stopped_at) as first from server
      where project_id = ? and status = 'failed' and stopped_at >= ?`,
    ),
    liveOfNode: bodies<[string]>(`
      select body from server where ${LIVE} and node_id = ? order by created_at, id`),
    nextNode: next<[string]>(`select min(node_id) from server where ${LIVE} and node_id > ?`),
    /** Next value of `line`, which names the orchestrator, region and tier for which a game server waits. */
    nextPlace: next<[after: string, before: string]>('select min(line) from server where line > ? and line < ?'),
    firstInPlace: bodies<[string]>('select body from server where line = ? order by created_at, id limit 1'),
    waitingSince: prepare<[string], number | null>(
      db,
      'select min(created_at) from server where waiting_queue = ?',
    ).pluck(),
    liveOfBuild: count<[string]>(`select 1 from server where ${LIVE} and build_id = ? limit 1`),
    liveOfBuildAfter: bodies<[string, string, number]>(
      `select body from server where ${LIVE} and build_id = ? and id > ? order by id limit ?`,
    ),
    countLive: count<[string]>(`select coalesce(sum(n), 0) from server_count where project_id = ? and ${LIVE}`),
    // One statement reads the sums and the servers that no sum contains, so that a server that ends during the read is
    // counted exactly once.
    metered: prepare<[{ account: string; from: number; to: number }], MeteredRow>(
      db,
      `
      select begins_at, project_id, tier, seconds, null as body, null as id from usage_sum
      where account_id = @account and begins_at >= @from and begins_at < @to
      union all
      select created_at, null, null, null, body, id from server
      where account_id = @account and summed = 0 and running_at is not null and running_at < @to
        and (stopped_at is null or stopped_at > @from)
      order by 1, 2, 3, id`,
    ),
  }
}

export type ServerStatements = ReturnType<typeof serverStatements>
