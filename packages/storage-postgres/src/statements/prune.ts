import { statement } from './statement'

/** Rows that one statement of a prune deletes, so that it holds its locks for a few milliseconds. */
export const PRUNE_SLICE = 1_000

// Asked again of the row itself: it may have changed since it was found.
const slice = (table: string, where: string) =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${PRUNE_SLICE})) and ${where}`

export const pruneStatements = {
  // What goes is remembered by its newest instant, in the same statement.
  commits: statement<{ n: number }>(
    'prune_commits',
    `with gone as (${slice('commit_log', 'at < $1')} returning at),
       raised as (
         update store set newest_instant = greatest(newest_instant, (select max(at) from gone))
         where exists (select from gone)
       )
     select count(*) as n from gone`,
  ),
  tombstones: statement('prune_tombstones', slice('ticket_change', 'removed_at < $1')),
  waits: statement('prune_match_waits', slice('match_wait', 'slot < $1')),
  idempotency: statement('prune_idempotency', slice('idempotency', 'expires_at <= $1')),
  // Oldest first, so that the closing event, by which the stream is found, is the last to go.
  deletedStream: statement<{ lobby_id: string }>(
    'prune_deleted_stream',
    `select lobby_id from stream_event where name = 'lobby_deleted' and at < $1 order by at limit 1`,
  ),
  eventsBefore: statement(
    'prune_events_before',
    `delete from stream_event where lobby_id = $1 and version = any(array(
       select version from stream_event where lobby_id = $1 and version < $2 order by version limit ${PRUNE_SLICE}))`,
  ),
  longStreams: statement<{ lobby_id: string }>(
    'prune_long_streams',
    'select distinct lobby_id from stream_event where version % 1000 = 0',
  ),
  // An event goes only when none of the three figures keeps it; as ages and sizes only grow backwards, what goes is a prefix.
  firstKept: statement<{ version: number | null }>(
    'prune_first_kept',
    `select min(version) as version from (
       select version, at, row_number() over newest as n, sum(bytes) over newest as total
       from stream_event where lobby_id = $1 window newest as (order by version desc)
     ) as e where n <= $2 or at >= $3 or total <= $4`,
  ),
  emptyLobbyCounts: statement('prune_lobby_counts', 'delete from lobby_count where n = 0'),
  emptyServerCounts: statement('prune_server_counts', 'delete from server_count where n = 0'),
  emptyTicketCounts: statement('prune_ticket_counts', 'delete from ticket_count where parties = 0 and players = 0'),
}
