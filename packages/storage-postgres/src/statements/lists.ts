import { jsonListIn } from '../column-text'
import { type Statement, statement } from './statement'

/**
 * One row of a page with the total, read in one snapshot. A page without rows is returned as one row with only the
 * total.
 */
export interface PageRow {
  readonly total: number
  readonly body: string | null
}

export const pageOf = (name: string, total: string, page: string, order: string, bytes: number): Statement<PageRow> =>
  statement<PageRow>(name, pageText(total, page, order, bytes))

/**
 * Returns the SQL of a page under the alias p, with the body and the columns of the order. `bytes` is the number of the
 * parameter with the maximum bytes, which may be null.
 */
export const pageText = (total: string, page: string, order: string, bytes: number): string =>
  `select t.total, p.body from (${total}) as t(total) left join lateral (${cutAt(page, order, bytes)}) as p on true
   order by ${order}`

/**
 * Returns the SQL that keeps the first of the ordered rows, and those following rows whose bodies fit into the maximum
 * bytes. The bodies of the other rows are not read. `bytes` is the number of the parameter with the maximum bytes.
 */
export const cutAt = (rows: string, order: string, bytes: number): string =>
  `select * from (
     select p.*, row_number() over so_far as place, sum(octet_length(p.body)) over so_far as bytes
     from (${rows}) as p window so_far as (order by ${order} rows unbounded preceding)
   ) as told where told.place = 1 or $${bytes}::bigint is null or told.bytes <= $${bytes}::bigint`

const bodies = (name: string, text: string) => statement<{ body: string }>(name, text)

/** Condition of lists of builds. Parameters: project, name, status, type. */
const BUILD_FILTER = `
  project_id = $1
  and ($2::text is null or name = $2)
  and case when $3::text is null then status <> 'deleted' else status = $3 end
  and ($4::text is null or type = $4)`

/**
 * Returns the SQL that merges the ranges of a leaderboard after or before a place. Each range is read up to the limit, in the order of its
 * index. Parameters: tiers, levels, place, limit.
 */
function onBoard(past: '>' | '<', order: 'asc' | 'desc'): string {
  const rangesIn = (column: string, names: string) => `
    select found.* from unnest(${names}::text[]) as range(name) cross join lateral (
      select body, place as position from standing where ${column} = range.name and place ${past} $3::bytea
      order by place ${order} limit $4
    ) as found`
  return `
    select body, position from (${rangesIn('board_tier', '$1')} union all ${rangesIn('board_level', '$2')}) as found
    order by position ${order} limit $4`
}

/** Returns the SQL of the places between two places in ranges. The order keeps the planner from reading the whole table. */
const placesIn = (column: string, names: string): string => `
  select from unnest(${names}::text[]) as range(name) cross join lateral (
    select from standing where ${column} = range.name and place > $5::bytea and place < $3::bytea order by place
  ) as found`

/** Lists of the control plane. Their totals are counted, because an account has few rows of each kind. */
export const listStatements = {
  accounts: pageOf(
    'list_accounts',
    'select count(*) from account',
    'select body, id from account order by id limit $1 offset $2',
    'p.id',
    3,
  ),
  projects: pageOf(
    'list_projects',
    'select count(*) from project where account_id = $1 and is_deleted = 0',
    `select body, created_at, id from project where account_id = $1 and is_deleted = 0
     order by created_at, id limit $2 offset $3`,
    'p.created_at, p.id',
    4,
  ),
  allProjects: bodies('list_all_projects', 'select body from project where account_id = $1 order by created_at, id'),
  apiKeys: pageOf(
    'list_api_keys',
    'select count(*) from api_key where project_id = $1',
    'select body, created_at, id from api_key where project_id = $1 order by created_at, id limit $2 offset $3',
    'p.created_at, p.id',
    4,
  ),
  membersOfProject: bodies(
    'list_members_of_project',
    'select body from member where project_id = $1 order by id limit $2',
  ),
  membersOfAccount: bodies(
    'list_members_of_account',
    'select body from member where account_id = $1 order by id limit $2',
  ),
  invitations: bodies('list_invitations', 'select body from invitation where project_id = $1 order by id limit $2'),
  problems: bodies('list_problems', 'select body from problem where project_id = $1 order by id limit $2'),
  projectsWithOpen: statement<{ project_id: string }>(
    'projects_with_open_problems',
    'select distinct project_id from problem where closed_at is null and project_id > $1 order by project_id limit $2',
  ),
  queues: pageOf(
    'list_queues',
    'select count(*) from queue where project_id = $1',
    'select body, queue_id from queue where project_id = $1 order by queue_id limit $2 offset $3',
    'p.queue_id',
    4,
  ),
  warmQueues: bodies('list_warm_queues', 'select body from queue where warm = 1 order by id'),
  sessions: bodies(
    'list_sessions',
    `select body from session where open_key = $1 and (created_at, id) < ($2::bigint, $3)
     order by created_at desc, id desc limit $4`,
  ),
  builds: pageOf(
    'list_builds',
    `select count(*) from build where ${BUILD_FILTER}`,
    `select body, created_at, id from build where ${BUILD_FILTER} order by created_at desc, id desc limit $5 offset $6`,
    'p.created_at desc, p.id desc',
    7,
  ),
  newestReadyBuild: bodies(
    'newest_ready_build',
    `select body from build where project_id = $1 and name = $2 and status = 'ready' and disabled = 0
     order by build_version desc limit 1`,
  ),
  machines: bodies('list_machines', 'select body from machine order by id limit $1'),
  matchesOfPlayer: bodies(
    'matches_of_player',
    `select body from (${cutAt(
      `select body, created_at, id from match where string_to_array(labels, chr(1)) @> ${jsonListIn('$1')}
       order by created_at desc, id desc limit $2`,
      'p.created_at desc, p.id desc',
      3,
    )}) as p order by p.created_at desc, p.id desc`,
  ),
  bans: bodies(
    'list_bans',
    `select body from (${cutAt(
      `select body, created_at, id from ban where project_id = $1 and (created_at, id) < ($2::bigint, $3)
       order by created_at desc, id desc limit $4 offset $5`,
      'p.created_at desc, p.id desc',
      6,
    )}) as p order by p.created_at desc, p.id desc`,
  ),
  audit: bodies(
    'list_audit',
    `select body from (${cutAt(
      `select body, created_at, id from audit where scope = $1 and (created_at, id) < ($2::bigint, $3)
       order by created_at desc, id desc limit $4`,
      'p.created_at desc, p.id desc',
      5,
    )}) as p order by p.created_at desc, p.id desc`,
  ),
  addressedAudit: bodies(
    'list_addressed_audit',
    'select body from audit where addressed_at <= $1 order by addressed_at, id limit $2',
  ),
  auditOfPlayer: bodies(
    'audit_of_player',
    `select body from audit where labels <> '' and string_to_array(labels, chr(1)) @> ${jsonListIn('$1')}
     order by created_at desc, id desc limit $2`,
  ),
  endedBans: bodies('list_ended_bans', 'select body from ban where until <= $1 order by until, id limit $2'),
  endedBansOfProject: bodies(
    'list_ended_bans_of_project',
    'select body from ban where project_id = $1 and until <= $2 order by until, id limit $3',
  ),
  ratings: pageOf(
    'list_ratings',
    'select count(*) from rating where project_id = $1',
    'select body, rating_id from rating where project_id = $1 order by rating_id limit $2 offset $3',
    'p.rating_id',
    4,
  ),
  standings: bodies(
    'list_standings',
    `select body from (${cutAt(onBoard('>', 'asc'), 'p.position', 5)}) as p order by p.position`,
  ),
  standingsBefore: bodies('list_standings_before', onBoard('<', 'desc')),
  // The levels are counted after the tiers, up to the rest of the limit.
  countBefore: statement<{ n: number }>(
    'count_standings_before',
    `with of_tiers as (select count(*) as n from (${placesIn('board_tier', '$1')} limit $4) as before)
     select n + (select count(*) from (${placesIn('board_level', '$2')} limit $4 - of_tiers.n) as before) as n from of_tiers`,
  ),
  standingsOfPlayer: bodies(
    'standings_of_player',
    'select body from standing where project_id = $1 and player_id = $2 limit $3',
  ),
  standingsOfRating: bodies('standings_of_rating', 'select body from standing where rating_key = $1 limit $2'),
  arrivals: bodies(
    'list_arrivals',
    `select body from (
       select body, id, sum(octet_length(body)) over so_far as bytes, row_number() over so_far as place
       from (select body, id from arrivals where id > $1 and id < $2 order by id limit $3) as page
       window so_far as (order by id)
     ) as told where place = 1 or bytes <= $4 order by id`,
  ),
  messagesOfPlayer: bodies(
    'messages_of_player',
    `select body from message where labels <> '' and string_to_array(labels, chr(1)) @> ${jsonListIn('$1')}
     order by created_at desc, id desc limit $2`,
  ),
  deliveries: pageOf(
    'list_deliveries',
    'select count(*) from delivery where webhook_id = $1',
    `select body, created_at, id from delivery where webhook_id = $1
     order by created_at desc, id desc limit $2 offset $3`,
    'p.created_at desc, p.id desc',
    4,
  ),
  deliveriesOfStatus: pageOf(
    'list_deliveries_of_status',
    'select count(*) from delivery where webhook_id = $1 and status = $4',
    `select body, created_at, id from delivery where webhook_id = $1 and status = $4
     order by created_at desc, id desc limit $2 offset $3`,
    'p.created_at desc, p.id desc',
    5,
  ),
  recentMatches: bodies(
    'recent_matches',
    'select body from match where queue_key = $1 and created_at >= $2 order by created_at desc, id desc limit $3',
  ),
}
