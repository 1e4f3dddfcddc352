import { MATCH_STATUSES } from '@matchyard/core'
import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'

export interface MatchWindow {
  readonly project: string
  /** Key of the queue; null for the matches of all queues. */
  readonly queue: string | null
  readonly status: string | null
  readonly endReason: string | null
  /** Instant of the earliest match. */
  readonly from: number
  /** Outcomes of a build (`outcomePlaces`) as JSON; null for the matches of all builds. */
  readonly outcomes: string | null
  /** Position of the last match of the page before. */
  readonly createdAt: number
  readonly id: string
  readonly limit: number
}

const NEWEST_FIRST = 'created_at desc, id desc'
const OLDER = '(created_at, id) < (@createdAt, @id) and created_at >= @from'

// Returns a query of the matches of one status. It names the index, because a planner without statistics would prefer
// to sort.
const search = (status: string) => `
  select rowid as row, created_at, id from match indexed by match_listed
  where project_id = @project and listed = ${status} and ${OLDER} and (@queue is null or queue_key = @queue)`

// Returns a query of a page that reads only the index. After it, only the bodies of the page are read, one by one.
const page = (found: string) => `${found} order by ${NEWEST_FIRST} limit @limit`

/** Statements of lists of matches, each in the order of an index. */
export const matchStatements = (db: Database) => {
  const rows = (sql: string) => prepare<[MatchWindow], number>(db, sql).pluck()
  return {
    /** Matches of every status. The results of one search per status are merged, so nothing is sorted. */
    list: rows(page(MATCH_STATUSES.map((status) => search(`'${status}'`)).join(' union all '))),
    listOfStatus: rows(page(search('@status'))),
    listOfEnd: rows(
      page(`
        select rowid from match indexed by match_by_end
        where project_id = @project and end_reason = @endReason and ${OLDER} and (@queue is null or queue_key = @queue)`),
    ),
    /**
     * Matches of one queue, with every status or with one status. Nearly all matches of a queue have ended, so the
     * query skips few rows.
     */
    listOfQueue: rows(`
      select rowid from match indexed by match_by_queue
      where queue_key = @queue and ${OLDER} and listed is not null and (@status is null or listed = @status)
      order by ${NEWEST_FIRST} limit @limit`),
    /** Matches of one build. Each outcome is searched up to the limit, and the results are merged. */
    listOfBuild: rows(`
      select match.rowid from json_each(@outcomes) as range cross join match where match.rowid in (
        select rowid from match indexed by match_by_outcome
        where outcome = range.value and ${OLDER} and (@queue is null or queue_key = @queue)
          and (@status is null or listed = @status)
        order by ${NEWEST_FIRST} limit @limit
      )
      order by ${NEWEST_FIRST.replaceAll(/created_at|id/g, 'match.$&')} limit @limit`),
    /** Matches of one player, by label. */
    listOfPlayer: prepare<[MatchWindow & { readonly label: string }], number>(
      db,
      `select match.rowid from match_label as found join match on match.id = found.match_id
       where found.label = @label and (created_at, match.id) < (@createdAt, @id) and created_at >= @from
         and listed is not null and (@outcomes is null or outcome in (select range.value from json_each(@outcomes) as range))
         and (@queue is null or queue_key = @queue) and (@status is null or listed = @status)
         and (@endReason is null or end_reason = @endReason)
       order by created_at desc, match.id desc limit @limit`,
    ).pluck(),
    ofPlayer: prepare<[string, number], number>(
      db,
      `select match.rowid from match_label as found join match on match.id = found.match_id where found.label = ?
       order by created_at desc, match.id desc limit ?`,
    ).pluck(),
    /** Ids, versions and projects of matches that ended at or before an instant, read from the index alone. */
    ended: prepare<[number, number], { id: string; version: number; projectId: string }>(
      db,
      'select id, version, project_id as projectId from match where ended_at is not null and ended_at <= ? order by ended_at, id limit ?',
    ),
    body: prepare<[number], string>(db, 'select body from match where rowid = ?').pluck(),
  }
}

export type MatchStatements = ReturnType<typeof matchStatements>
