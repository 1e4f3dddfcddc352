/** Tables that hold no entities: jobs, leases, presence, counters, and the records of past commits and changes. */
export const COORDINATION_TABLES = `
-- Replacing a job gives it a new sequence, so a claim of the old one (sequence and attempt) no longer holds.
create table job (
  sequence integer primary key autoincrement, id text not null unique, kind text not null, run_at integer not null,
  attempts integer not null, lease_until integer, tenant text not null, holder text, payload text not null
) strict;
-- Two indexes of the free ones: by age, for a claim of the oldest of a kind, and by tenant, so that a claim can go from one tenant to
-- the next past any backlog.
create index job_free_by_age on job (kind, run_at, id) where lease_until is null;
create index job_free_by_tenant on job (kind, tenant, run_at, id) where lease_until is null;
create index job_held on job (lease_until) where lease_until is not null;

create table lease (name text primary key, holder text not null, until integer not null) strict, without rowid;
create table presence (
  scope text not null, member text not null, at integer not null, primary key (scope, member)
) strict, without rowid;
create table counter (id text primary key, value integer not null) strict, without rowid;

create table commit_log (id text primary key, at integer not null) strict, without rowid;
-- The newest instant of the commits that the log has forgotten; those it remembers say it themselves.
create table store (newest_instant integer not null) strict;
insert into store values (0);

-- What changed in each project: one row for a commit. The one writer draws the number, so no commit is late; the newest row is always
-- kept, so that a number is never given twice.
create table change (
  sequence integer primary key, project_id text not null, at integer not null, changed text not null
) strict;
create index change_by_project on change (project_id);

-- The oldest code that the schema bears, by how many migrations it knows, and by which first schema the file was made.
create table schema_bears (oldest_code integer not null, origin text not null) strict;

-- By these the file says whether a write-ahead log belongs to it (see \`log-marks.ts\`). Two tables, because the two rows must lie on
-- pages of their own: each is known by which of the two files its newest form is in.
create table log_ended (number integer not null) strict;
insert into log_ended values (0);
create table log_begun (number integer not null) strict;
insert into log_begun values (1);
-- What a ping writes. SQLite leaves a page alone that would be as before, so it must become something else.
create table ping (number integer not null) strict;
insert into ping values (0);
`
