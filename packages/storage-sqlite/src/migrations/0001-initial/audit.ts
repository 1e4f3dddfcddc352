/**
 * Tables of the audit log. The players that an entry names are labels by which the entry is found, as with messages. The
 * column `addressed_at` is set while the entry has a network address.
 */
export const AUDIT_TABLES = `
create table audit (
  id text primary key, version integer not null, scope text not null, created_at integer not null,
  addressed_at integer, labels text not null, body text not null
) strict;
create index audit_by_scope on audit (scope, created_at, id);
create index audit_by_age on audit (created_at);
create index audit_by_address on audit (addressed_at, id) where addressed_at is not null;
create table audit_label (
  label text not null, audit_id text not null, primary key (label, audit_id)
) strict, without rowid;
create trigger audit_labelled after insert on audit begin
  insert or ignore into audit_label select value, new.id from json_each(new.labels);
end;
create trigger audit_relabelled after update of labels on audit when old.labels is not new.labels begin
  delete from audit_label where audit_id = new.id
    and label in (select value from json_each(old.labels) except select value from json_each(new.labels));
  insert or ignore into audit_label
    select value, new.id from (select value from json_each(new.labels) except select value from json_each(old.labels));
end;
create trigger audit_unlabelled after delete on audit begin
  delete from audit_label where audit_id = old.id and label in (select value from json_each(old.labels));
end;
`
