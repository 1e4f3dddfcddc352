/**
 * By which the file says whether a write-ahead log belongs to it (see `log-marks.ts`). Two tables, because the two rows must lie on
 * pages of their own: each is known by which of the two files its newest form is in.
 */
export const logMarks = `
create table log_ended (number integer not null) strict;
insert into log_ended values (0);
create table log_begun (number integer not null) strict;
insert into log_begun values (1);

-- What a ping writes. SQLite leaves a page alone that would be as before, so it must become something else.
create table ping (number integer not null) strict;
insert into ping values (0);
`
