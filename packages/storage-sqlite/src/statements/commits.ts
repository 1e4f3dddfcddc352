import type { Database } from 'better-sqlite3'

/** Reads the whole log, an hour of commits: it is asked for once, when a service starts. */
export const NEWEST_INSTANT = 'select max(newest_instant, coalesce((select max(at) from commit_log), 0)) from store'

/** What a commit reads and writes beside the entities. */
export const commitStatements = (db: Database) => ({
  findCommit: db.prepare<[string], number>('select 1 from commit_log where id = ?').pluck(),
  logCommit: db.prepare<[string, number]>('insert into commit_log (id, at) values (?, ?)'),
  newestInstant: db.prepare<[], number>(NEWEST_INSTANT).pluck(),
  /** One row, so that it may be asked every second. */
  ping: db.prepare<[], number>('select newest_instant from store').pluck(),

  holderOfKey: db.prepare<[string], { kind: string; id: string }>('select kind, id from unique_key where key = ?'),
  claimKey: db.prepare<[string, string, string]>('insert into unique_key (key, kind, id) values (?, ?, ?)'),
  freeKey: db.prepare<[string]>('delete from unique_key where key = ?'),

  readCounter: db.prepare<[string], number>('select value from counter where id = ?').pluck(),
  setCounter: db.prepare<[string, number]>(
    'insert into counter (id, value) values (?, ?) on conflict do update set value = excluded.value',
  ),

  addEvent: db.prepare<[string, number, string, number, number, string]>(
    'insert into stream_event (lobby_id, version, name, at, bytes, body) values (?, ?, ?, ?, ?, ?)',
  ),
  putJob: db.prepare<[string, string, number, string]>(
    'insert or replace into job (id, kind, run_at, attempts, lease_until, payload) values (?, ?, ?, 0, null, ?)',
  ),
  markTicket: db.prepare<[string, string, number | null]>(
    'insert or replace into ticket_change (queue_key, ticket_id, removed_at) values (?, ?, ?)',
  ),
  forgetPresence: db.prepare<[string]>('delete from presence where scope = ?'),
})

export type CommitStatements = ReturnType<typeof commitStatements>
