/** Servers are kept for billing, so what asks for live ones has partial indexes of the live ones alone. */
export const SERVER_TABLES = `
create table match (
  id text collate "C" primary key, version bigint not null,
  queue_key text collate "C" not null, created_at bigint not null, body text not null
);
create index match_by_queue on match (queue_key, created_at, id);

create table server (
  id text collate "C" primary key, version bigint not null,
  project_id text collate "C" not null, account_id text collate "C" not null, status text collate "C" not null,
  region text collate "C" not null, match_id text collate "C", version_tag text collate "C" not null,
  node_id text collate "C", build_id text collate "C", running_at bigint, stopped_at bigint,
  created_at bigint not null, body text not null
);
create index server_by_created on server (project_id, created_at, id);
create index server_by_match on server (match_id, created_at, id) where match_id is not null;
create index server_metered on server (account_id, stopped_at, running_at) where running_at is not null;
create index server_live on server (created_at, id) where status in ('launching', 'running', 'stopping');
create index server_live_of_build on server (build_id) where status in ('launching', 'running', 'stopping');

create table server_count (
  project_id text collate "C" not null, status text collate "C" not null, region text collate "C" not null,
  stripe bigint not null, n bigint not null, primary key (project_id, status, region, stripe)
) with (fillfactor = 50);
`
