/**
 * Tables of the control plane, one per kind: columns for the values that queries use, and one body with the whole
 * entity. Bodies are text, because jsonb sorts the keys and refuses U+0000. Text is compared by its bytes (collate
 * "C"), so that every database lists in the same order in every locale.
 */
export const CONTROL_PLANE_TABLES = `
create table account (id text collate "C" primary key, version bigint not null, body text not null);
create table session (
  id text collate "C" primary key, version bigint not null, open_key text collate "C", created_at bigint not null,
  body text not null
);
create index session_by_account on session (open_key, created_at, id) where open_key is not null;
create table build_name (id text collate "C" primary key, version bigint not null, body text not null);
create table invite_hold (id text collate "C" primary key, version bigint not null, body text not null);

create table backlog (id text collate "C" primary key, version bigint not null, body text not null);
create table secret (id text collate "C" primary key, version bigint not null, body text not null);

create table installation (id text collate "C" primary key, version bigint not null, body text not null);

-- The oldest records of an owner, and of a group, are found with the newest one.
create table idempotency (
  id text collate "C" primary key, version bigint not null, expires_at bigint not null, created_at bigint not null,
  bytes bigint not null, owner_part text, group_part text, body text not null
);
create index idempotency_by_expiry on idempotency (expires_at);
create index idempotency_by_owner on idempotency (owner_part, created_at, bytes) where owner_part is not null;
create index idempotency_by_group on idempotency (group_part, created_at, bytes) where group_part is not null;

create table project (
  id text collate "C" primary key, version bigint not null,
  account_id text collate "C" not null, created_at bigint not null, is_deleted bigint not null, body text not null
);
create index project_by_account on project (account_id, created_at, id);

create table api_key (
  id text collate "C" primary key, version bigint not null,
  project_id text collate "C" not null, created_at bigint not null, body text not null
);
create index api_key_by_project on api_key (project_id, created_at, id);

create table member (
  id text collate "C" primary key, version bigint not null,
  project_id text collate "C" not null, account_id text collate "C" not null, body text not null
);
create index member_by_project on member (project_id, id);
create index member_by_account on member (account_id, id);
create table invitation (
  id text collate "C" primary key, version bigint not null, project_id text collate "C" not null, body text not null
);
create index invitation_by_project on invitation (project_id, id);

create table problem (
  id text collate "C" primary key, version bigint not null,
  project_id text collate "C" not null, closed_at bigint, body text not null
);
create index problem_by_project on problem (project_id, id);
create index problem_open on problem (project_id) where closed_at is null;

create table queue (
  id text collate "C" primary key, version bigint not null,
  project_id text collate "C" not null, queue_id text collate "C" not null, warm bigint not null, body text not null
);
create index queue_by_project on queue (project_id, queue_id);
create index queue_warm on queue (id) where warm = 1;
create table queue_version (id text collate "C" primary key, version bigint not null, body text not null);

create table build (
  id text collate "C" primary key, version bigint not null,
  project_id text collate "C" not null, name text collate "C" not null, status text collate "C" not null,
  type text collate "C" not null, build_version bigint not null, created_at bigint not null, disabled bigint not null,
  body text not null
);
create index build_by_project on build (project_id, created_at, id);
create index build_by_name on build (project_id, name, build_version);

create table unique_key (
  key text collate "C" primary key, kind text collate "C" not null, id text collate "C" not null
);
create index unique_key_by_holder on unique_key (id, kind);
`
