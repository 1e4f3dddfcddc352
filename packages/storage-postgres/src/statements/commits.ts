import { jsonListIn } from '../column-text'
import { exactly, statement } from './statement'

/** Statements of commits, except those that read and write entities. */
export const commitStatements = {
  begin: statement('begin', 'begin isolation level read committed'),
  commit: statement('commit', 'commit'),
  rollback: statement('rollback', 'rollback'),

  findCommits: statement<{ id: string }>('find_commits', 'select id from commit_log where id = any($1)'),
  logCommits: statement(
    'log_commits',
    'insert into commit_log (id, at, project_id, changed) select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[])',
  ),
  newestInstant: statement<{ at: number }>(
    'newest_instant',
    'select greatest(newest_instant, (select max(at) from commit_log)) as at from store',
  ),

  /** An update that changes no value: a standby, a read-only database and a full disk refuse it. */
  ping: statement<never>('ping', 'update store set newest_instant = newest_instant'),

  keys: statement<{ key: string; kind: string; id: string }>(
    'keys',
    `select key, kind, id from unique_key where key = any($1)
     union
     select k.key, k.kind, k.id from unnest($2::text[], $3::text[]) as h(id, kind) join unique_key k using (id, kind)`,
  ),
  freeKeys: statement('free_keys', exactly('delete from unique_key where key = any($1::text[])', '$2')),
  moveKeys: statement(
    'move_keys',
    exactly(
      `update unique_key k set kind = v.kind, id = v.id
       from unnest($1::text[], $2::text[], $3::text[]) as v(key, kind, id) where k.key = v.key`,
      '$4',
    ),
  ),
  claimKeys: statement(
    'claim_keys',
    'insert into unique_key (key, kind, id) select * from unnest($1::text[], $2::text[], $3::text[])',
  ),

  openCounters: statement(
    'open_counters',
    'insert into counter (id, value) select id, 0 from unnest($1::text[]) as id on conflict (id) do nothing',
  ),
  lockCounters: statement<{ id: string; value: number }>(
    'lock_counters',
    'select id, value from counter where id = any($1) order by id for update',
  ),
  addToCounters: statement(
    'add_to_counters',
    `insert into counter (id, value) select * from unnest($1::text[], $2::bigint[])
     on conflict (id) do update set value = counter.value + excluded.value`,
  ),
  addAndTell: statement(
    'add_and_tell',
    `insert into counter (id, value) select * from unnest($1::text[], $2::bigint[])
     on conflict (id) do update set value = counter.value + excluded.value returning id, value`,
  ),
  /** Fails when a counter exceeds its maximum. Runs in one statement with `addAndTell`, after the additions. */
  assertLimits: statement(
    'assert_limits',
    `select 1 / (count(*) = 0)::int from unnest($1::text[], $2::bigint[]) as v(id, most)
     join add_and_tell a using (id) where a.value > v.most`,
  ),
  sumCounters: statement<{ value: number }>(
    'sum_counters',
    `select coalesce(sum(found.value), 0)::bigint as value
     from unnest($1::text[], $2::text[]) as range(first, past) cross join lateral (
       select sum(value) as value from counter where id >= range.first and id < range.past
     ) as found`,
  ),
  readCounter: statement<{ value: number }>('read_counter', 'select value from counter where id = $1'),

  putJobs: statement(
    'put_jobs',
    `insert into job (id, kind, run_at, tenant, payload)
     select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], ${jsonListIn('$5')})
     on conflict (id) do update set sequence = excluded.sequence, kind = excluded.kind, run_at = excluded.run_at,
       tenant = excluded.tenant, attempts = 0, lease_until = null, holder = null, payload = excluded.payload`,
  ),
  markTickets: statement(
    'mark_tickets',
    `insert into ticket_change (queue_key, ticket_id, xid, removed_at)
     select queue_key, ticket_id, pg_current_xact_id(), removed_at
     from unnest($1::text[], $2::text[], $3::bigint[]) as v(queue_key, ticket_id, removed_at)
     on conflict (queue_key, ticket_id) do update set xid = excluded.xid, removed_at = excluded.removed_at`,
  ),
  forgetPresence: statement('forget_presence', 'delete from presence where scope = any($1::text[])'),
}
