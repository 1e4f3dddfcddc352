import { MATCH_STATUSES } from '@matchyard/core'
import type { Database } from 'better-sqlite3'
import { prepare } from '../prepare'

export interface MatchWindow {
  readonly project: string
  /** The key of the queue, null for any. */
  readonly queue: string | null
  readonly status: string | null
  /** After the match of this place. */
  readonly createdAt: number
  readonly id: string
  readonly limit: number
}

const NEWEST_FIRST = 'created_at desc, id desc'
const OLDER = '(created_at, id) < (@createdAt, @id)'

// The index is named, because a planner without statistics would rather sort.
const search = (status: string) => `
  select rowid as row, created_at, id from match indexed by match_listed
  where project_id = @project and listed = ${status} and ${OLDER} and (@queue is null or queue_key = @queue)`

// The inner select reads nothing but the index; bodies are fetched for the page alone.
const page = (found: string) => `
  select body from (${found} order by ${NEWEST_FIRST} limit @limit) as page join match on match.rowid = page.row
  order by page.created_at desc, page.id desc`

/** Lists of matches, each in the order of an index. */
export const matchStatements = (db: Database) => {
  const bodies = (sql: string) => prepare<[MatchWindow], string>(db, sql).pluck()
  return {
    /** Of every status: the searches are merged, nothing is sorted. */
    list: bodies(page(MATCH_STATUSES.map((status) => search(`'${status}'`)).join(' union all '))),
    listOfStatus: bodies(page(search('@status'))),
    /** Of one queue: nearly all have ended, so that few are passed by. */
    listOfQueue: bodies(`
      select body from match indexed by match_by_queue
      where queue_key = @queue and ${OLDER} and listed is not null and (@status is null or listed = @status)
      order by ${NEWEST_FIRST} limit @limit`),
  }
}

export type MatchStatements = ReturnType<typeof matchStatements>
