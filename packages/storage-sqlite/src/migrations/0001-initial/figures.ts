/**
 * Tables of sums: figures of queues (such as waiting times and matches), and metered usage. Readers of these sums need
 * not read every match and every ticket. Commits write the sums together with the rows that are counted.
 */
export const FIGURE_TABLES = `
create table match_wait (
  queue_key text not null, players integer not null, bucket integer not null, slot integer not null,
  count integer not null, least_ms integer not null, most_ms integer not null,
  primary key (queue_key, players, bucket, slot)
) strict, without rowid;
create index match_wait_by_slot on match_wait (slot);

-- The id of recorded arrivals is their place in their queue, so one index finds a row, walks a queue by time, and tells pruning how many
-- parties a queue holds.
create table arrivals (id text not null, version integer not null, parties integer not null, body text not null) strict;
create unique index arrivals_by_place on arrivals (id, parties);

-- By account, project, tier, and the stretch of time in which seconds start: it begins at midnight UTC or where the plan changed.
create table usage_sum (
  account_id text not null, begins_at integer not null, project_id text not null, tier text not null,
  seconds integer not null, primary key (account_id, begins_at, project_id, tier)
) strict, without rowid;

-- The key begins with the step and the slot: a chart reads one place for each of its slots, and pruning and rolling up walk the oldest slots.
create table history (
  step integer not null, slot integer not null, project_id text not null, series text not null, queue_id text not null,
  key text not null, count integer not null, sum integer not null, most integer not null,
  primary key (step, slot, project_id, series, queue_id, key)
) strict, without rowid;
`
