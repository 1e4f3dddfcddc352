/** What is not an entity: jobs, leases, presence, counters, and what is known of past commits. */
export const COORDINATION_TABLES = `
-- Replacing a job gives it a new sequence, so a claim of the old one (sequence and attempt) no longer holds.
create table job (
  sequence integer primary key autoincrement, id text not null unique, kind text not null, run_at integer not null,
  attempts integer not null, lease_until integer, payload text not null
) strict;
create index job_free on job (run_at, id) where lease_until is null;
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
`
