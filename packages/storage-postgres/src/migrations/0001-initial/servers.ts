/**
 * Tables of matches, game servers and machines. Ended servers are kept for billing, so queries for live servers use partial
 * indexes that contain only live servers.
 */
export const SERVER_TABLES = `
create table match (
  id text collate "C" primary key, version bigint not null,
  queue_key text collate "C" not null, created_at bigint not null, labels text collate "C" not null,
  project_id text collate "C" not null, listed text collate "C", end_reason text, ended_at bigint,
  outcome text collate "C", body text not null
);
create index match_by_queue on match (queue_key, created_at, id);
-- By status, the newest first, so that live matches are found at once among all that have ended. A proposal that came to nothing is in
-- no list. The queue is in the index for the lists of one queue.
create index match_listed on match (project_id, listed, created_at, id, queue_key) where listed is not null;
create index match_by_end on match (project_id, end_reason, created_at, id, queue_key) where end_reason is not null;
-- The outcome is a build and a reason of the end, or the build alone before the end.
create index match_by_outcome on match (outcome, created_at, id, queue_key) where outcome is not null;
-- Old matches are removed in this order.
create index match_by_end_time on match (ended_at, id) where ended_at is not null;
-- A match is found by its players.
create index match_by_label on match using gin (string_to_array(labels, chr(1))) with (fastupdate = off);

create table server (
  id text collate "C" primary key, version bigint not null,
  project_id text collate "C" not null, account_id text collate "C" not null, status text collate "C" not null,
  region text collate "C" not null, match_id text collate "C", version_tag text collate "C" not null,
  node_id text collate "C", build_id text collate "C", running_at bigint, stopped_at bigint,
  created_at bigint not null, line text collate "C", waiting_queue text collate "C", summed bigint not null,
  end_reason text collate "C", end_place text collate "C", body text not null
);
create index server_by_created on server (project_id, created_at, id);
create index server_by_match on server (match_id, created_at, id) where match_id is not null;
create index server_metered on server (account_id, stopped_at, running_at) where running_at is not null;
create index server_live on server (created_at, id) where status in ('launching', 'running', 'stopping');
create index server_live_of_build on server (build_id, id) where status in ('launching', 'running', 'stopping');

create index server_by_build on server (build_id, created_at, id) where build_id is not null;
create index server_ended_of_build on server (build_id, stopped_at, id)
  where stopped_at is not null and (match_id is not null or status = 'failed');
create index server_by_end on server (project_id, end_reason, created_at, id) include (status, region, version_tag)
  where end_reason is not null;
-- The place is a build and a cause of the end.
create index server_by_end_place on server (end_place, created_at, id) include (project_id, status, region, version_tag)
  where end_place is not null;
create index server_live_by_node on server (node_id, created_at, id) where status in ('launching', 'running', 'stopping');
create index server_in_line on server (line, created_at, id) where line is not null;
create index server_waiting on server (waiting_queue, created_at) where waiting_queue is not null;
create index server_failed on server (project_id, stopped_at, id) where status = 'failed';
create index server_unsummed on server (account_id, running_at) where summed = 0 and running_at is not null;

create table machine (id text collate "C" primary key, version bigint not null, body text not null);

create table server_count (
  project_id text collate "C" not null, status text collate "C" not null, region text collate "C" not null,
  stripe bigint not null, n bigint not null, primary key (project_id, status, region, stripe)
) with (fillfactor = 50);
`
