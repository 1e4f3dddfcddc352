/**
 * What changed in each project: one row for a commit, and no work for what it writes besides. The number is that of the row, drawn by
 * the one writer, so none commits late; the newest row is always kept, so that a number is never given twice. What was there before
 * is no change: who has no cursor reads the tables themselves.
 *
 * And the oldest code that the schema bears, by how many migrations it knows.
 */
export const changes = `
create table change (
  sequence integer primary key, project_id text not null, at integer not null, changed text not null
) strict;
create index change_by_project on change (project_id);
create table schema_bears (oldest_code integer not null) strict;
insert into schema_bears values (7);
`
