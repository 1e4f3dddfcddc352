/**
 * Tables of matches, game servers and machines. Records of ended servers stay for billing, so queries for live servers use
 * partial indexes of live servers only.
 */
export const SERVER_TABLES = `
create table match (
  id text primary key, version integer not null, queue_key text not null, created_at integer not null, labels text not null,
  project_id text not null, listed text, end_reason text, ended_at integer, outcome text, unique_keys text,
  body text not null
) strict;
create index match_by_queue on match (queue_key, created_at, id);
-- By status, the newest first, so that live matches are found at once among all that have ended. A proposal that came to nothing is in
-- no list. The queue is in the index for the lists of one queue.
create index match_listed on match (project_id, listed, created_at, id, queue_key) where listed is not null;
create index match_by_end on match (project_id, end_reason, created_at, id, queue_key) where end_reason is not null;
-- The outcome is a build and a reason of the end, or the build alone before the end.
create index match_by_outcome on match (outcome, created_at, id, queue_key) where outcome is not null;
-- Old matches are removed in this order.
create index match_by_end_time on match (ended_at, id, version, project_id) where ended_at is not null;
-- A match is found by its players.
create table match_label (
  label text not null, match_id text not null, primary key (label, match_id)
) strict, without rowid;

create table server (
  id text primary key, version integer not null,
  project_id text not null, account_id text not null, status text not null, region text not null, match_id text,
  version_tag text not null, node_id text, build_id text, end_reason text, end_place text,
  running_at integer, stopped_at integer,
  created_at integer not null, line text, waiting_queue text, summed integer not null, unique_keys text, body text not null
) strict;
create index server_by_created on server (project_id, created_at, id, status, region, version_tag, match_id);
create index server_by_match on server (project_id, match_id, created_at, id, status, region, version_tag)
  where match_id is not null;
create index server_metered on server (account_id, stopped_at, running_at) where running_at is not null;
create index server_live on server (created_at, id, node_id) where status in ('launching', 'running', 'stopping');
create index server_live_of_build on server (build_id, id) where status in ('launching', 'running', 'stopping');

create index server_by_build on server (build_id, created_at, id, status, region, version_tag) where build_id is not null;
create index server_ended_of_build on server (build_id, stopped_at, id)
  where stopped_at is not null and (match_id is not null or status = 'failed');
create index server_by_end on server (project_id, end_reason, created_at, id, status, region, version_tag)
  where end_reason is not null;
-- The place is a build and a cause of the end.
create index server_by_end_place on server (end_place, created_at, id, project_id, status, region, version_tag)
  where end_place is not null;
create index server_live_by_node on server (node_id, created_at, id) where status in ('launching', 'running', 'stopping');
create index server_in_line on server (line, created_at, id) where line is not null;
create index server_waiting on server (waiting_queue, created_at) where waiting_queue is not null;
create index server_failed on server (project_id, stopped_at, id) where status = 'failed';
create index server_unsummed on server (account_id, running_at) where summed = 0 and running_at is not null;

create table machine (id text primary key, version integer not null, unique_keys text, body text not null) strict;

create table server_count (
  project_id text not null, status text not null, region text not null, n integer not null,
  primary key (project_id, status, region)
) strict, without rowid;
create trigger server_added after insert on server begin
  insert into server_count values (new.project_id, new.status, new.region, 1) on conflict do update set n = n + 1;
end;
create trigger server_removed after delete on server begin
  update server_count set n = n - 1 where project_id = old.project_id and status = old.status and region = old.region;
end;
create trigger server_moved after update of project_id, status, region on server
when (old.project_id, old.status, old.region) is not (new.project_id, new.status, new.region)
begin
  update server_count set n = n - 1 where project_id = old.project_id and status = old.status and region = old.region;
  insert into server_count values (new.project_id, new.status, new.region, 1) on conflict do update set n = n + 1;
end;
`
