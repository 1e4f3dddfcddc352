import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'
import { LIVE } from './servers'

/**
 * Maximum number of rows that one slice of a prune deletes, so that it occupies the writer for at most a few
 * milliseconds.
 */
export const PRUNE_SLICE = 500

interface Between {
  readonly from: string
  readonly to: string
}
interface Seen {
  readonly scope: string
  readonly member: string
}

export const pruneStatements = (db: Database) => ({
  // Last id of the next slice. Ids are the only order of the log of commits, so it is pruned in this order.
  logSlice: prepare<[string], string | null>(
    db,
    `select max(id) from (select id from commit_log where id > ? order by id limit ${PRUNE_SLICE})`,
  ).pluck(),
  newestForgotten: prepare<[{ from: string; to: string; before: number }]>(
    db,
    `
    update store set newest_instant = max(newest_instant, coalesce(
      (select max(at) from commit_log where id > @from and id <= @to and at < @before), 0))`,
  ),
  commits: prepare<[{ from: string; to: string; before: number }]>(
    db,
    'delete from commit_log where id > @from and id <= @to and at < @before',
  ),
  oldCommit: prepare<[{ from: string; to: string; before: number }], number>(
    db,
    'select 1 from commit_log where id > @from and id <= @to and at < @before limit 1',
  ).pluck(),
  tombstones: prepare<[number]>(
    db,
    `
    delete from ticket_change where sequence in (
      select sequence from ticket_change where removed_at < ? limit ${PRUNE_SLICE})`,
  ),
  waits: prepare<[number]>(
    db,
    `
    delete from match_wait where (queue_key, players, bucket, slot) in (
      select queue_key, players, bucket, slot from match_wait where slot < ? limit ${PRUNE_SLICE})`,
  ),
  history: prepare<[number, number]>(
    db,
    `
    delete from history where (step, slot, project_id, series, queue_id, key) in (
      select step, slot, project_id, series, queue_id, key from history where step = ? and slot < ?
      order by step, slot, project_id, series, queue_id, key limit ${PRUNE_SLICE})`,
  ),
  idempotency: prepare<[number]>(
    db,
    `
    delete from idempotency where rowid in (select rowid from idempotency where expires_at <= ? limit ${PRUNE_SLICE})`,
  ),
  cooldowns: prepare<[number]>(
    db,
    `delete from cooldown where rowid in (select rowid from cooldown where until <= ? limit ${PRUNE_SLICE})`,
  ),
  /**
   * Id of the first batch of recorded arrivals after a given id. After the last batch of a queue, this is the first
   * batch of the next queue.
   */
  nextArrivals: prepare<[string], string | null>(db, 'select min(id) from arrivals where id > ?').pluck(),
  /** Number of parties in the batches between two ids. The query reads only the index. */
  parties: prepare<[Between], number>(
    db,
    'select coalesce(sum(parties), 0) from arrivals where id > @from and id < @to',
  ).pluck(),
  oldArrivals: prepare<[Between], number>(
    db,
    `
    delete from arrivals where id in (select id from arrivals where id > @from and id < @to limit ${PRUNE_SLICE})
    returning parties`,
  ).pluck(),
  // Deletes the oldest batches of arrivals, as long as the remaining batches have enough parties.
  arrivalsOver: prepare<[Between & { readonly over: number }], number>(
    db,
    `
    delete from arrivals where id in (
      select id from (
        select id, sum(parties) over (order by id) as gone
        from (select id, parties from arrivals where id > @from and id < @to order by id limit ${PRUNE_SLICE})
      ) where gone <= @over)
    returning parties`,
  ).pluck(),
  audit: prepare<[number]>(
    db,
    `delete from audit where rowid in (select rowid from audit where created_at < ? limit ${PRUNE_SLICE})`,
  ),
  // Scope after a given scope, in the order of the index.
  nextAuditScope: prepare<[string], string | null>(db, 'select min(scope) from audit where scope > ?').pluck(),
  // Scopes that got entries at or after an instant. The search reads the index by age.
  auditScopesSince: prepare<[number], string>(
    db,
    'select distinct scope from audit indexed by audit_by_age where created_at >= ?',
  ).pluck(),
  // Deletes the oldest entries of a scope beyond a number of entries to keep.
  auditOver: prepare<[string, number]>(
    db,
    `delete from audit where rowid in (
       select rowid from audit where scope = ? order by created_at desc, id desc limit ${PRUNE_SLICE} offset ?)`,
  ),
  deliveries: prepare<[number]>(
    db,
    `delete from delivery where rowid in (select rowid from delivery where created_at < ? limit ${PRUNE_SLICE})`,
  ),
  // Deletes messages by age, except the few old messages that still have deliveries.
  messages: prepare<[number]>(
    db,
    `
    delete from message where rowid in (
      select rowid from message where created_at < ?
        and not exists (select 1 from delivery where delivery.message_id = message.id) limit ${PRUNE_SLICE})`,
  ),
  // Last key of the next slice of presence, in order of keys; see `logSlice`.
  presenceSlice: prepare<[Seen], Seen>(
    db,
    `
    select scope, member from (
      select scope, member from presence where (scope, member) > (@scope, @member) order by scope, member limit ${PRUNE_SLICE}
    ) order by scope desc, member desc limit 1`,
  ),
  presence: prepare<[{ scope: string; member: string; toScope: string; toMember: string; before: number }]>(
    db,
    `
    delete from presence
    where (scope, member) > (@scope, @member) and (scope, member) <= (@toScope, @toMember) and at < @before
      and not exists (select 1 from lobby where id = presence.scope)
      and not exists (select 1 from server where id = presence.scope and ${LIVE})`,
  ),
  emptyLobbyCounts: prepare<[]>(db, 'delete from lobby_count where n = 0'),
  emptyServerCounts: prepare<[]>(db, 'delete from server_count where n = 0'),
  emptyQueues: prepare<[]>(db, 'delete from queue_waiting where parties = 0'),
})

export type PruneStatements = ReturnType<typeof pruneStatements>
