import type { Tier } from '@matchyard/core'
import { pageOf } from './lists'
import { statement } from './statement'

/** Condition for live servers, spelled exactly as in the partial indexes, so that the planner uses the indexes. */
export const LIVE = `status in ('launching', 'running', 'stopping')`

/**
 * A row of metered usage: the sum of ended servers, or a server that no sum contains yet. Only a server has a body, and
 * its first column is its creation time.
 */
export interface MeteredRow {
  readonly begins_at: number
  readonly project_id: string
  readonly tier: Tier
  readonly seconds: number
  readonly body: string | null
}

/** Condition of lists of servers. Parameters: project, status, region, version tag. */
const FILTER = `
  project_id = $1
  and ($2::text is null or status = $2)
  and ($3::text is null or region = $3)
  and ($4::text is null or version_tag = $4)`

/** Condition of the servers of a match. */
const OF_MATCH = `match_id = $7 and ($9::text is null or build_id = $9) and ($10::text is null or end_reason = $10)`

const ORDER = 'created_at desc, id desc'
const page = (more: string) =>
  `select body, created_at, id from server where ${FILTER} ${more} order by ${ORDER} limit $5 offset $6`

const bodies = (name: string, text: string) => statement<{ body: string }>(name, text)

export const serverStatements = {
  failed: bodies(
    'failed_servers',
    `select body from server where project_id = $1 and status = 'failed' and stopped_at >= $2
     order by stopped_at desc, id desc limit $3`,
  ),
  /**
   * Servers of a project. The total is read from the stored totals, which have no version tag, so the parameter for the
   * tag is null.
   */
  list: pageOf(
    'list_servers',
    `select coalesce(sum(n), 0)::bigint from server_count
     where project_id = $1 and ($2::text is null or status = $2) and ($3::text is null or region = $3)`,
    page(''),
    'p.created_at desc, p.id desc',
    7,
  ),
  listOfTag: pageOf(
    'list_servers_of_tag',
    `select count(*) from server where ${FILTER}`,
    page(''),
    'p.created_at desc, p.id desc',
    7,
  ),
  /** Servers of a match, which is the seventh parameter; the ninth and tenth are the build and the cause of the end, or null. */
  listOfMatch: pageOf(
    'list_servers_of_match',
    `select count(*) from server where ${FILTER} and ${OF_MATCH}`,
    page(`and ${OF_MATCH}`),
    'p.created_at desc, p.id desc',
    8,
  ),
  /** Servers of a build, which is the seventh parameter. */
  listOfBuild: pageOf(
    'list_servers_of_build',
    `select count(*) from server where ${FILTER} and build_id = $7`,
    page('and build_id = $7'),
    'p.created_at desc, p.id desc',
    8,
  ),
  /** Servers that ended for a cause, which is the seventh parameter. */
  listOfEnd: pageOf(
    'list_servers_of_end',
    `select count(*) from server where ${FILTER} and end_reason = $7`,
    page('and end_reason = $7'),
    'p.created_at desc, p.id desc',
    8,
  ),
  /** Servers of a build that ended for a cause: the seventh parameter is their place (`endPlace`). */
  listOfEndPlace: pageOf(
    'list_servers_of_end_place',
    `select count(*) from server where ${FILTER} and end_place = $7`,
    page('and end_place = $7'),
    'p.created_at desc, p.id desc',
    8,
  ),
  lastEnded: bodies(
    'last_ended_servers',
    `select body from server
     where build_id = $1 and stopped_at is not null and (match_id is not null or status = 'failed')
     order by stopped_at desc, id desc limit $2`,
  ),
  live: bodies('live_servers', `select body from server where ${LIVE} order by created_at, id`),
  liveOfNode: bodies(
    'live_servers_of_node',
    `select body from server where ${LIVE} and node_id = $1 order by created_at, id`,
  ),
  /**
   * Nodes with live servers. The index is read from one node to the next, so the number of servers on a node does not
   * matter.
   */
  nodes: statement<{ node_id: string }>(
    'nodes_of_live_servers',
    `with recursive walk(node_id) as (
       (select node_id from server where ${LIVE} and node_id is not null order by node_id limit 1)
       union all
       select (select node_id from server where ${LIVE} and node_id > walk.node_id order by node_id limit 1)
       from walk where walk.node_id is not null
     )
     select node_id from walk where node_id is not null`,
  ),
  /**
   * The oldest server that waits for capacity, for each region and tier of an orchestrator. Values of `line` are
   * `{orchestrator}/{region}/{tier}`, with `/tls` for servers with TLS ports; those of an orchestrator are between the two parameters.
   */
  firstInLine: bodies(
    'first_in_line',
    `with recursive walk(place) as (
       (select line from server where line > $1 and line < $2 order by line limit 1)
       union all
       select (select line from server where line > walk.place and line < $2 order by line limit 1)
       from walk where walk.place is not null
     )
     select found.body from walk cross join lateral (
       select body, created_at, id from server where line = walk.place order by created_at, id limit 1
     ) as found where walk.place is not null order by found.created_at, found.id`,
  ),
  waitingSince: statement<{ at: number | null }>(
    'waiting_since',
    'select min(created_at) as at from server where waiting_queue = $1',
  ),
  liveOfBuild: statement<{ found: number }>(
    'live_server_of_build',
    `select 1 as found from server where ${LIVE} and build_id = $1 limit 1`,
  ),
  liveOfBuildAfter: bodies(
    'live_servers_of_build',
    `select body from server where ${LIVE} and build_id = $1 and id > $2 order by id limit $3`,
  ),
  failedTally: statement<{ count: number; first: number | null }>(
    'failed_tally',
    `select count(*) as count, min(stopped_at) as first from server
     where project_id = $1 and status = 'failed' and stopped_at >= $2`,
  ),
  countLive: statement<{ n: number }>(
    'count_live_servers',
    `select coalesce(sum(n), 0)::bigint as n from server_count where project_id = $1 and ${LIVE}`,
  ),
  // One statement reads the sums and the servers, so that a server that ends during the read is counted exactly once.
  metered: statement<MeteredRow>(
    'metered',
    `select begins_at, project_id, tier, sum(seconds)::bigint as seconds, null as body, null as id from usage_sum
     where account_id = $1 and begins_at >= $2 and begins_at < $3 group by begins_at, project_id, tier
     union all
     select created_at, null, null, null, body, id from server
     where account_id = $1 and summed = 0 and running_at is not null and running_at < $3
       and (stopped_at is null or stopped_at > $2)
     order by 1, 2, 3, 6`,
  ),
}
