import { MATCH_STATUSES } from '@matchyard/core'
import { jsonListIn } from '../column-text'
import { cutAt } from './lists'
import { statement } from './statement'

const NEWEST_FIRST = 'created_at desc, id desc'
/** `NEWEST_FIRST` for the rows of a page that has the alias p. */
const IN_ORDER = 'p.created_at desc, p.id desc'

/**
 * Query of matches. Parameters: project; limit; instant and id of the last match of the page before; the key of a
 * queue, or null; bytes; the instant of the earliest match.
 */
const SEARCH = `
  project_id = $1 and (created_at, id) < ($3::bigint, $4) and created_at >= $7 and ($5::text is null or queue_key = $5)`

const STATUSES = MATCH_STATUSES.map((status) => `('${status}')`).join(', ')

const bodies = (name: string, text: string) => statement<{ body: string }>(name, text)

/** Returns the SQL that cuts rows at the maximum bytes, which are the sixth parameter. */
const within = (rows: string) => `select body from (${cutAt(rows, IN_ORDER, 6)}) as p order by ${IN_ORDER}`

/** Lists of matches, each in the order of an index. */
export const matchStatements = {
  // Each status has its own range of the index in this order, so the page is merged from the first rows of each status.
  list: bodies(
    'list_matches',
    within(
      `select match.body, p.created_at, p.id from (
         select m.* from (values ${STATUSES}) as s(status)
         cross join lateral (
           select id, created_at from match where ${SEARCH} and listed = s.status order by ${NEWEST_FIRST} limit $2
         ) as m
         order by ${NEWEST_FIRST} limit $2
       ) as p join match on match.id = p.id order by ${IN_ORDER}`,
    ),
  ),
  /** Ids, versions and projects of matches that ended at or before an instant. Parameters: the instant, the limit. */
  ended: statement<{ id: string; version: number; project_id: string }>(
    'list_ended_matches',
    'select id, version, project_id from match where ended_at <= $1 order by ended_at, id limit $2',
  ),
  /** Matches of one status, which is the eighth parameter. */
  listOfStatus: bodies(
    'list_matches_of_status',
    within(`select body, created_at, id from match where ${SEARCH} and listed = $8 order by ${NEWEST_FIRST} limit $2`),
  ),
  /** Matches with one reason of their end, which is the eighth parameter. */
  listOfEnd: bodies(
    'list_matches_of_end',
    within(
      `select body, created_at, id from match where ${SEARCH} and end_reason = $8 order by ${NEWEST_FIRST} limit $2`,
    ),
  ),
  /**
   * Matches of one build: each outcome is searched up to the limit, and the results are merged. Parameters as in SEARCH; the first one is
   * the list of outcomes instead of the project, and the eighth one is a status or null.
   */
  listOfBuild: bodies(
    'list_matches_of_build',
    within(
      `select match.body, p.created_at, p.id from (
         select m.* from unnest(${jsonListIn('$1')}) as s(outcome)
         cross join lateral (
           select id, created_at from match
           where outcome = s.outcome and (created_at, id) < ($3::bigint, $4) and created_at >= $7
             and ($5::text is null or queue_key = $5) and ($8::text is null or listed = $8)
           order by ${NEWEST_FIRST} limit $2
         ) as m
         order by ${NEWEST_FIRST} limit $2
       ) as p join match on match.id = p.id order by ${IN_ORDER}`,
    ),
  ),
  /**
   * Matches of one player. Parameters as in SEARCH, without the project; the first one is the label of the player. Then
   * status, reason of the end, and outcomes of a build, or null.
   */
  listOfPlayer: bodies(
    'list_matches_of_player',
    within(
      `select body, created_at, id from match where string_to_array(labels, chr(1)) @> ${jsonListIn('$1')}
         and (created_at, id) < ($3::bigint, $4) and ($5::text is null or queue_key = $5) and listed is not null
         and created_at >= $7 and ($8::text is null or listed = $8) and ($9::text is null or end_reason = $9)
         and ($10::text is null or outcome = any(${jsonListIn('$10')}))
       order by ${NEWEST_FIRST} limit $2`,
    ),
  ),
  /**
   * Matches of a queue. Parameters: key of the queue; limit; instant and id of the last match of the page before;
   * status or null; bytes; the instant of the earliest match. Nearly all matches have ended, so the status excludes few rows.
   */
  listOfQueue: bodies(
    'list_matches_of_queue',
    within(
      `select body, created_at, id from match where queue_key = $1 and (created_at, id) < ($3::bigint, $4)
         and created_at >= $7 and listed is not null and ($5::text is null or listed = $5)
       order by ${NEWEST_FIRST} limit $2`,
    ),
  ),
}
