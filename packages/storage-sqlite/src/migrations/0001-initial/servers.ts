/** Servers are kept for billing, so what asks for live ones has partial indexes of the live ones alone. */
export const SERVER_TABLES = `
create table match (
  id text primary key, version integer not null, queue_key text not null, created_at integer not null, body text not null
) strict;
create index match_by_queue on match (queue_key, created_at, id);

create table server (
  id text primary key, version integer not null,
  project_id text not null, account_id text not null, status text not null, region text not null, match_id text,
  version_tag text not null, node_id text, build_id text, running_at integer, stopped_at integer,
  created_at integer not null, unique_keys text, body text not null
) strict;
create index server_by_created on server (project_id, created_at, id, status, region, version_tag, match_id);
create index server_by_match on server (project_id, match_id, created_at, id, status, region, version_tag)
  where match_id is not null;
create index server_metered on server (account_id, stopped_at, running_at) where running_at is not null;
create index server_live on server (created_at, id, node_id) where status in ('launching', 'running', 'stopping');
create index server_live_of_build on server (build_id) where status in ('launching', 'running', 'stopping');

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
