import type { Database } from 'better-sqlite3'

/** Rows that one slice of a prune deletes, so that it holds the writer for a few milliseconds at most. */
export const PRUNE_SLICE = 500

export const pruneStatements = (db: Database) => ({
  // Walks the log by id, as it has no other order: from one slice's last id to the next.
  logSlice: db
    .prepare<[string], string | null>(
      `select max(id) from (select id from commit_log where id > ? order by id limit ${PRUNE_SLICE})`,
    )
    .pluck(),
  newestForgotten: db.prepare<[{ from: string; to: string; before: number }]>(`
    update store set newest_instant = max(newest_instant, coalesce(
      (select max(at) from commit_log where id > @from and id <= @to and at < @before), 0))`),
  commits: db.prepare<[{ from: string; to: string; before: number }]>(
    'delete from commit_log where id > @from and id <= @to and at < @before',
  ),
  oldCommit: db
    .prepare<[{ from: string; to: string; before: number }], number>(
      'select 1 from commit_log where id > @from and id <= @to and at < @before limit 1',
    )
    .pluck(),
  tombstones: db.prepare<[number]>(`
    delete from ticket_change where sequence in (
      select sequence from ticket_change where removed_at < ? limit ${PRUNE_SLICE})`),
  idempotency: db.prepare<[number]>(`
    delete from idempotency where rowid in (select rowid from idempotency where expires_at <= ? limit ${PRUNE_SLICE})`),
  // Oldest first, so that the closing event, by which the stream is found, is the last to go.
  deletedStream: db
    .prepare<[number], string>(
      `select lobby_id from stream_event where name = 'lobby_deleted' and at < ? order by at limit 1`,
    )
    .pluck(),
  eventsBefore: db.prepare<[string, number]>(`
    delete from stream_event where rowid in (
      select rowid from stream_event where lobby_id = ? and version < ? order by version limit ${PRUNE_SLICE})`),
  longStreams: db
    .prepare<[], string>('select distinct lobby_id from stream_event indexed by stream_long where version % 1000 = 0')
    .pluck(),
  eventSizes: db.prepare<[string], { version: number; at: number; bytes: number }>(
    'select version, at, bytes from stream_event where lobby_id = ? order by version desc',
  ),
  emptyLobbyCounts: db.prepare<[]>('delete from lobby_count where n = 0'),
  emptyServerCounts: db.prepare<[]>('delete from server_count where n = 0'),
  emptyQueues: db.prepare<[]>('delete from queue_waiting where parties = 0'),
})

export type PruneStatements = ReturnType<typeof pruneStatements>
