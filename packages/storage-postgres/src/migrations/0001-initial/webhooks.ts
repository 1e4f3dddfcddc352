/**
 * Tables of webhooks, messages and deliveries. The players that a message names are labels by which the message is
 * found, as with matches.
 */
export const WEBHOOK_TABLES = `
create table webhook (id text collate "C" primary key, version bigint not null, body text not null);
create table message (
  id text collate "C" primary key, version bigint not null, created_at bigint not null,
  labels text collate "C" not null, body text not null
);
create index message_by_age on message (created_at);
create index message_by_label on message using gin (string_to_array(labels, chr(1))) with (fastupdate = off) where labels <> '';
create table delivery (
  id text collate "C" primary key, version bigint not null, webhook_id text collate "C" not null,
  message_id text collate "C" not null, status text collate "C" not null, created_at bigint not null, body text not null
);
create index delivery_by_webhook on delivery (webhook_id, created_at, id);
create index delivery_by_status on delivery (webhook_id, status, created_at, id);
create index delivery_by_message on delivery (message_id);
create index delivery_by_age on delivery (created_at);
`
