/**
 * What changed in each project: one row for a commit, and no work for what it writes besides. The number is that of the row, drawn by
 * the one writer, so none commits late; the newest row is always kept, so that a number is never given twice. What was there before
 * is no change: who has no cursor reads the tables themselves.
 */
export const changes = `
create table change (
  sequence integer primary key, project_id text not null, at integer not null, changed text not null
) strict;
create index change_by_project on change (project_id);
`
