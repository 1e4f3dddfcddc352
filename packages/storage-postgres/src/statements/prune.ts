import { LIVE } from './servers'
import { statement } from './statement'

/** Number of rows that one statement of a prune deletes, so that it holds its locks for only a few milliseconds. */
export const PRUNE_SLICE = 1_000

// The search finds the rows of the slice. The condition is checked again on each row, because a row may have changed
// after the search.
const slice = (table: string, where: string) =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${PRUNE_SLICE})) and ${where}`

export const pruneStatements = {
  // Deletes old commits, and stores their newest instant and newest transaction. Transaction numbers from another
  // server, which a restored dump contains, are ignored.
  commits: statement<{ n: number }>(
    'prune_commits',
    `with gone as (${slice('commit_log', 'at < $1')} returning at, xid),
       raised as (
         update store set newest_instant = greatest(newest_instant, (select max(at) from gone)),
           forgotten = (
             select coalesce(max(xid), '0') from (select forgotten as xid from store union all select xid from gone) as x
             where xid < pg_snapshot_xmax(pg_current_snapshot())
           )
         where exists (select from gone)
       )
     select count(*) as n from gone`,
  ),
  tombstones: statement('prune_tombstones', slice('ticket_change', 'removed_at < $1')),
  waits: statement('prune_match_waits', slice('match_wait', 'slot < $1')),
  history: statement('prune_history', slice('history', 'step = $1 and slot < $2')),
  idempotency: statement('prune_idempotency', slice('idempotency', 'expires_at <= $1')),
  cooldowns: statement('prune_cooldowns', slice('cooldown', 'until <= $1')),
  /**
   * Id of the first batch of recorded arrivals after an id. After the last batch of a queue, this is the first batch of
   * the next queue.
   */
  nextArrivals: statement<{ id: string | null }>(
    'prune_next_arrivals',
    'select min(id) as id from arrivals where id > $1',
  ),
  arrivals: statement('prune_arrivals', slice('arrivals', 'id > $1 and id < $2')),
  // Deletes the oldest batches of arrivals, as long as the remaining batches have at least the number of arrivals to
  // keep.
  arrivalsOver: statement(
    'prune_arrivals_over',
    `with kept as (select sum(parties) - $3::bigint as over from arrivals where id > $1 and id < $2),
       oldest as (
         select id, sum(parties) over (order by id) as gone
         from (select id, parties from arrivals where id > $1 and id < $2 order by id limit ${PRUNE_SLICE}) as first
       )
     delete from arrivals using oldest, kept where arrivals.id = oldest.id and gone <= kept.over`,
  ),
  audit: statement('prune_audit', slice('audit', 'created_at < $1')),
  // Scope after a given scope, in the order of the index.
  nextAuditScope: statement<{ scope: string | null }>(
    'prune_next_audit_scope',
    'select min(scope) as scope from audit where scope > $1',
  ),
  // Scopes that got entries at or after an instant. The search reads the index by age.
  auditScopesSince: statement<{ scope: string }>(
    'prune_audit_scopes_since',
    'select distinct scope from audit where created_at >= $1',
  ),
  // Deletes the oldest entries of a scope beyond a number of entries to keep.
  auditOver: statement(
    'prune_audit_over',
    `delete from audit where ctid = any(array(
       select ctid from audit where scope = $1 order by created_at desc, id desc limit ${PRUNE_SLICE} offset $2)) and scope = $1`,
  ),
  deliveries: statement('prune_deliveries', slice('delivery', 'created_at < $1')),
  messages: statement(
    'prune_messages',
    slice('message', 'created_at < $1 and not exists (select from delivery where delivery.message_id = message.id)'),
  ),
  // Deletes a slice of the presence table, in the order of its key, after a given scope and member. Only members of a
  // lobby or live server that no longer exists are deleted, and only if they were last seen before an instant. Returns
  // the last key of the slice.
  presence: statement<{ scope: string; member: string }>(
    'prune_presence',
    `with part as (
       select scope, member from presence where (scope, member) > ($1, $2) order by scope, member limit ${PRUNE_SLICE}
     ), gone as (
       delete from presence using part
       where presence.scope = part.scope and presence.member = part.member and presence.at < $3
         and not exists (select from lobby where lobby.id = presence.scope)
         and not exists (select from server where server.id = presence.scope and ${LIVE})
     )
     select scope, member from part order by scope desc, member desc limit 1`,
  ),
  emptyLobbyCounts: statement('prune_lobby_counts', 'delete from lobby_count where n = 0'),
  emptyServerCounts: statement('prune_server_counts', 'delete from server_count where n = 0'),
  emptyTicketCounts: statement('prune_ticket_counts', 'delete from ticket_count where parties = 0 and players = 0'),
}
