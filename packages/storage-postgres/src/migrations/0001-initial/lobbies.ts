/**
 * The browser's indexes start with the status: players browse for lobbies that wait, and those are few among many in a game; a list
 * of every status merges the heads of five. Totals are kept in stripes: each connection adds to its own rows, so that no two
 * transactions wait for one counter, and a reader adds the stripes up.
 */
export const LOBBY_TABLES = `
create table lobby (
  id text collate "C" primary key, version bigint not null,
  project_id text collate "C" not null, queue_id text collate "C" not null, status text collate "C" not null,
  region text collate "C" not null, is_private bigint not null, player_count bigint not null,
  created_at bigint not null, body text not null
);
create index lobby_by_created on lobby (project_id, status, created_at, id);
create index lobby_by_players on lobby (project_id, status, player_count, created_at, id);

create table lobby_count (
  project_id text collate "C" not null, queue_id text collate "C" not null, status text collate "C" not null,
  region text collate "C" not null, is_private bigint not null, stripe bigint not null, n bigint not null,
  primary key (project_id, queue_id, status, region, is_private, stripe)
) with (fillfactor = 50);

create table ticket (
  id text collate "C" primary key, version bigint not null,
  queue_key text collate "C" not null, players bigint not null, body text not null
);
create index ticket_by_queue on ticket (queue_key, id);

-- One row per ticket: its last change, with the transaction that made it. A number drawn from a sequence, or an instant, is
-- drawn before the commit and may appear after a later one was read; whether a transaction was visible can be asked exactly.
create table ticket_change (
  queue_key text collate "C" not null, ticket_id text collate "C" not null, xid xid8 not null, removed_at bigint,
  primary key (queue_key, ticket_id)
);
create index ticket_change_by_xid on ticket_change (queue_key, xid, ticket_id);
create index ticket_tombstone on ticket_change (removed_at) where removed_at is not null;

create table ticket_count (
  queue_key text collate "C" not null, stripe bigint not null, parties bigint not null, players bigint not null,
  primary key (queue_key, stripe)
) with (fillfactor = 50);

create table stream_event (
  lobby_id text collate "C" not null, version bigint not null, name text collate "C" not null, at bigint not null,
  bytes bigint not null, body text not null, primary key (lobby_id, version)
);
create index stream_deleted on stream_event (at) where name = 'lobby_deleted';
-- A stream that has passed a thousand events shows here; versions have no gaps.
create index stream_long on stream_event (lobby_id) where version % 1000 = 0;
`
