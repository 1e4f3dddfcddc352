/**
 * What changed in each project stands in the row that the log of commits has of each commit anyway: that is pruned after an hour, as
 * changes are, and a commit writes one index entry more and no row. A commit that changes two projects has a second row, under its
 * id and the project's. What was there before is no change: who has no cursor reads the tables themselves.
 *
 * And the oldest code that the schema bears, by how many migrations it knows.
 */
export const changes = `
alter table commit_log add column project_id text collate "C", add column changed text,
  add column xid xid8 not null default pg_current_xact_id();
create index commit_log_by_project on commit_log (project_id, xid, id) where project_id is not null;
-- The newest transaction whose changes were forgotten.
alter table store add column forgotten xid8 not null default '0';
alter table schema_version add column oldest_code int not null default 6;
`
