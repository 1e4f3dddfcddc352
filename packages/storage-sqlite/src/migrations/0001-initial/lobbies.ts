/**
 * Both indexes of the browser start with the status: players browse for lobbies that wait, and those are few among many in a
 * game. A query without a status merges the five. They also hold every column that is filtered by, so that a page reads the index until
 * it is full and fetches only the bodies it returns. Two and not more, because each costs every commit a page of the log.
 * Totals are kept by triggers, in the same transaction as the rows they count.
 */
export const LOBBY_TABLES = `
create table lobby (
  id text primary key, version integer not null,
  project_id text not null, queue_id text not null, status text not null, region text not null,
  is_private integer not null, player_count integer not null, created_at integer not null,
  unique_keys text, body text not null
) strict;
create index lobby_by_created on lobby (project_id, status, created_at, id, is_private, queue_id, region);
create index lobby_by_players on lobby (project_id, status, player_count, created_at, id, is_private, queue_id, region);

create table lobby_count (
  project_id text not null, queue_id text not null, status text not null, region text not null,
  is_private integer not null, n integer not null,
  primary key (project_id, queue_id, status, region, is_private)
) strict, without rowid;
create trigger lobby_added after insert on lobby begin
  insert into lobby_count values (new.project_id, new.queue_id, new.status, new.region, new.is_private, 1)
    on conflict do update set n = n + 1;
end;
create trigger lobby_removed after delete on lobby begin
  update lobby_count set n = n - 1
    where project_id = old.project_id and queue_id = old.queue_id and status = old.status and region = old.region
      and is_private = old.is_private;
end;
create trigger lobby_moved after update of project_id, queue_id, status, region, is_private on lobby
when (old.project_id, old.queue_id, old.status, old.region, old.is_private)
  is not (new.project_id, new.queue_id, new.status, new.region, new.is_private)
begin
  update lobby_count set n = n - 1
    where project_id = old.project_id and queue_id = old.queue_id and status = old.status and region = old.region
      and is_private = old.is_private;
  insert into lobby_count values (new.project_id, new.queue_id, new.status, new.region, new.is_private, 1)
    on conflict do update set n = n + 1;
end;

create table ticket (
  id text primary key, version integer not null, queue_key text not null, players integer not null, body text not null
) strict;
-- One row per ticket: its last change. Autoincrement never gives a number twice, also after the newest rows were pruned.
create table ticket_change (
  sequence integer primary key autoincrement, queue_key text not null, ticket_id text not null, removed_at integer,
  unique (queue_key, ticket_id)
) strict;
create index ticket_change_by_queue on ticket_change (queue_key);
create index ticket_tombstone on ticket_change (removed_at) where removed_at is not null;

create table queue_waiting (
  queue_key text primary key, parties integer not null, players integer not null
) strict, without rowid;
create trigger ticket_added after insert on ticket begin
  insert into queue_waiting values (new.queue_key, 1, new.players)
    on conflict do update set parties = parties + 1, players = players + new.players;
end;
create trigger ticket_removed after delete on ticket begin
  update queue_waiting set parties = parties - 1, players = players - old.players where queue_key = old.queue_key;
end;
create trigger ticket_moved after update of queue_key, players on ticket begin
  update queue_waiting set parties = parties - 1, players = players - old.players where queue_key = old.queue_key;
  insert into queue_waiting values (new.queue_key, 1, new.players)
    on conflict do update set parties = parties + 1, players = players + new.players;
end;

-- The small columns come before the body, so that reading them never touches a row's overflow pages.
create table stream_event (
  lobby_id text not null, version integer not null, name text not null, at integer not null, bytes integer not null,
  body text not null, unique (lobby_id, version)
) strict;
create index stream_deleted on stream_event (at) where name = 'lobby_deleted';
-- A stream that has passed a thousand events shows here; versions have no gaps.
create index stream_long on stream_event (lobby_id) where version % 1000 = 0;
`
