import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'

/**
 * Newest instant of a commit. The query reads the whole log of commits (one hour). It is used once, when a service
 * starts.
 */
export const NEWEST_INSTANT = 'select max(newest_instant, coalesce((select max(at) from commit_log), 0)) from store'

/** Statements of commits, except those that read and write entities. */
export const commitStatements = (db: Database) => ({
  findCommit: prepare<[string], number>(db, 'select 1 from commit_log where id = ?').pluck(),
  logCommit: prepare<[string, number]>(db, 'insert into commit_log (id, at) values (?, ?) on conflict do nothing'),
  newestInstant: prepare<[], number>(db, NEWEST_INSTANT).pluck(),
  /** Changes a row, because only a write shows that the file can be written. */
  ping: prepare<[]>(db, 'update ping set number = number + 1'),

  holderOfKey: prepare<[string], { kind: string; id: string }>(db, 'select kind, id from unique_key where key = ?'),
  claimKey: prepare<[string, string, string]>(db, 'insert into unique_key (key, kind, id) values (?, ?, ?)'),
  freeKey: prepare<[string]>(db, 'delete from unique_key where key = ?'),

  readCounter: prepare<[string], number>(db, 'select value from counter where id = ?').pluck(),
  sumCounters: prepare<[string, string], number | null>(
    db,
    'select sum(value) from counter where id >= ? and id < ?',
  ).pluck(),
  setCounter: prepare<[string, number]>(
    db,
    'insert into counter (id, value) values (?, ?) on conflict do update set value = excluded.value',
  ),

  putJob: prepare<[string, string, number, string, string]>(
    db,
    'insert or replace into job (id, kind, run_at, tenant, attempts, lease_until, payload) values (?, ?, ?, ?, 0, null, ?)',
  ),
  markTicket: prepare<[string, string, number | null]>(
    db,
    'insert or replace into ticket_change (queue_key, ticket_id, removed_at) values (?, ?, ?)',
  ),
  addWait: prepare<[string, number, number, number, number, number, number]>(
    db,
    `
    insert into match_wait (queue_key, players, bucket, slot, count, least_ms, most_ms)
    values (?, ?, ?, ?, ?, ?, ?)
    on conflict do update set count = count + excluded.count,
      least_ms = min(least_ms, excluded.least_ms), most_ms = max(most_ms, excluded.most_ms)`,
  ),
  addUsage: prepare<[string, number, string, string, number]>(
    db,
    `
    insert into usage_sum (account_id, begins_at, project_id, tier, seconds) values (?, ?, ?, ?, ?)
    on conflict do update set seconds = seconds + excluded.seconds`,
  ),
  addHistory: prepare<[number, number, string, string, string, string, number, number, number]>(
    db,
    `
    insert into history (step, slot, project_id, series, queue_id, key, count, sum, most)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict do update set count = count + excluded.count, sum = sum + excluded.sum, most = max(most, excluded.most)`,
  ),
  forgetPresence: prepare<[string]>(db, 'delete from presence where scope = ?'),
})

export type CommitStatements = ReturnType<typeof commitStatements>
