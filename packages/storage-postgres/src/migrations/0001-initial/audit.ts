/**
 * Table of the audit log. The players that an entry names are labels by which the entry is found, as with messages. The
 * column `addressed_at` is set while the entry has a network address.
 */
export const AUDIT_TABLES = `
create table audit (
  id text collate "C" primary key, version bigint not null, scope text collate "C" not null, created_at bigint not null,
  addressed_at bigint, labels text collate "C" not null, body text not null
);
create index audit_by_scope on audit (scope, created_at, id);
create index audit_by_age on audit (created_at);
create index audit_by_address on audit (addressed_at, id) where addressed_at is not null;
create index audit_by_label on audit using gin (string_to_array(labels, chr(1))) with (fastupdate = off) where labels <> '';
`
