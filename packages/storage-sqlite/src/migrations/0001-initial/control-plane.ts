/**
 * Tables of the control plane. Each kind of entity has its own table, with columns for the queried values and one JSON
 * body for the rest. Kinds that are read only by id or by a unique key have their own tables too: the statements are
 * the same for all kinds, and no index needs `kind` as its first column. Tables with a body are rowid tables: the rows
 * of a WITHOUT ROWID table are stored in its index, and long rows make the index slow.
 *
 * The column `unique_keys` holds a row's keys in the table `unique_key`, as JSON, or null for none. A commit that
 * changes the row reads the keys with the row, so `unique_key` needs no second index.
 */
export const CONTROL_PLANE_TABLES = `
create table account (id text primary key, version integer not null, unique_keys text, body text not null) strict;
create table session (
  id text primary key, version integer not null, open_key text, created_at integer not null, body text not null
) strict;
create index session_by_account on session (open_key, created_at, id) where open_key is not null;
create table build_name (id text primary key, version integer not null, body text not null) strict;
create table invite_hold (id text primary key, version integer not null, unique_keys text, body text not null) strict;

create table backlog (id text primary key, version integer not null, body text not null) strict;

create table secret (id text primary key, version integer not null, body text not null) strict;

create table installation (id text primary key, version integer not null, body text not null) strict;

-- The oldest records of an owner, and of a group, are found with the newest one.
create table idempotency (
  id text primary key, version integer not null, expires_at integer not null, created_at integer not null,
  bytes integer not null, owner_part text, group_part text, body text not null
) strict;
create index idempotency_by_expiry on idempotency (expires_at);
create index idempotency_by_owner on idempotency (owner_part, created_at, bytes) where owner_part is not null;
create index idempotency_by_group on idempotency (group_part, created_at, bytes) where group_part is not null;

create table project (
  id text primary key, version integer not null,
  account_id text not null, created_at integer not null, is_deleted integer not null, unique_keys text, body text not null
) strict;
create index project_by_account on project (account_id, created_at, id, is_deleted);

create table api_key (
  id text primary key, version integer not null, project_id text not null, created_at integer not null,
  unique_keys text, body text not null
) strict;
create index api_key_by_project on api_key (project_id, created_at, id);

create table member (
  id text primary key, version integer not null, project_id text not null, account_id text not null, body text not null
) strict;
create index member_by_project on member (project_id, id);
create index member_by_account on member (account_id, id);
create table invitation (
  id text primary key, version integer not null, project_id text not null, unique_keys text, body text not null
) strict;
create index invitation_by_project on invitation (project_id, id);

create table problem (
  id text primary key, version integer not null, project_id text not null, closed_at integer, body text not null
) strict;
create index problem_by_project on problem (project_id, id);
create index problem_open on problem (project_id) where closed_at is null;

create table queue (
  id text primary key, version integer not null, project_id text not null, queue_id text not null,
  warm integer not null, body text not null
) strict;
create index queue_by_project on queue (project_id, queue_id);
create index queue_warm on queue (id) where warm = 1;
create table queue_version (id text primary key, version integer not null, body text not null) strict;

create table build (
  id text primary key, version integer not null,
  project_id text not null, name text not null, build_version integer not null,
  status text not null, type text not null, created_at integer not null, disabled integer not null,
  unique_keys text, body text not null
) strict;
create index build_by_project on build (project_id, created_at, id, status, name, type);
create index build_by_name on build (project_id, name, build_version, status);

create table unique_key (key text primary key, kind text not null, id text not null) strict, without rowid;
`
