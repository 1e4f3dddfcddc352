/**
 * Tables of webhooks, of the messages that commits write for webhooks, and of the delivery of each message to each
 * webhook. The players that a message names are labels by which the message is found, as with matches. Triggers update
 * the table of labels in the same transaction as the rows.
 */
export const WEBHOOK_TABLES = `
create table webhook (id text primary key, version integer not null, body text not null) strict;
create table message (
  id text primary key, version integer not null, created_at integer not null, labels text not null, body text not null
) strict;
create index message_by_age on message (created_at);
create table message_label (
  label text not null, message_id text not null, primary key (label, message_id)
) strict, without rowid;
create trigger message_labelled after insert on message begin
  insert or ignore into message_label select value, new.id from json_each(new.labels);
end;
create trigger message_relabelled after update of labels on message when old.labels is not new.labels begin
  delete from message_label where message_id = new.id
    and label in (select value from json_each(old.labels) except select value from json_each(new.labels));
  insert or ignore into message_label
    select value, new.id from (select value from json_each(new.labels) except select value from json_each(old.labels));
end;
create trigger message_unlabelled after delete on message begin
  delete from message_label where message_id = old.id and label in (select value from json_each(old.labels));
end;
create table delivery (
  id text primary key, version integer not null, webhook_id text not null, message_id text not null,
  status text not null, created_at integer not null, body text not null
) strict;
create index delivery_by_webhook on delivery (webhook_id, created_at, id);
create index delivery_by_status on delivery (webhook_id, status, created_at, id);
create index delivery_by_message on delivery (message_id);
create index delivery_by_age on delivery (created_at);
`
