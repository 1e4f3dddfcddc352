/**
 * Tables of queue statistics and of metered usage, so that a reader need not scan all matches and tickets. Each sum is
 * spread over several rows (stripes), one for each group of connections. Commits update the sums together with the rows
 * that are summed.
 */
export const FIGURE_TABLES = `
create table match_wait (
  queue_key text collate "C" not null, players bigint not null, bucket bigint not null, slot bigint not null,
  stripe bigint not null, count bigint not null, least_ms bigint not null, most_ms bigint not null,
  primary key (queue_key, players, bucket, slot, stripe)
) with (fillfactor = 50);
create index match_wait_by_slot on match_wait (slot);

-- The id of recorded arrivals is their place in their queue, so one index finds a row, walks a queue by time, and tells pruning how many
-- parties a queue holds.
create table arrivals (
  id text collate "C" not null, version bigint not null, parties bigint not null, body text not null,
  primary key (id) include (parties)
);

-- By account, project, tier, and the stretch of time in which seconds start: it begins at midnight UTC or where the plan changed.
create table usage_sum (
  account_id text collate "C" not null, begins_at bigint not null, project_id text collate "C" not null,
  tier text collate "C" not null, stripe bigint not null, seconds bigint not null,
  primary key (account_id, begins_at, project_id, tier, stripe)
) with (fillfactor = 50);

-- The key begins with the step and the slot: a chart reads one place for each of its slots, and pruning and rolling up walk the oldest slots.
create table history (
  step bigint not null, slot bigint not null, project_id text collate "C" not null, series text collate "C" not null,
  queue_id text collate "C" not null, key text collate "C" not null, stripe bigint not null, count bigint not null,
  sum bigint not null, most bigint not null, primary key (step, slot, project_id, series, queue_id, key, stripe)
) with (fillfactor = 90);
`
