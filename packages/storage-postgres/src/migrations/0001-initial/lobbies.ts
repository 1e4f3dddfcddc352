/**
 * Tables of lobbies, tickets, cooldowns, bans and stream events. The indexes of the lobby browser begin with the status:
 * players browse for waiting lobbies, and few lobbies of a game are waiting. A list of all statuses merges the
 * beginnings of five index ranges. Each total is spread over several rows (stripes). A connection adds to its own row,
 * so that transactions rarely wait for each other, and a reader adds up the rows.
 */
export const LOBBY_TABLES = `
create table lobby (
  id text collate "C" primary key, version bigint not null,
  project_id text collate "C" not null, queue_id text collate "C" not null, status text collate "C" not null,
  region text collate "C" not null, is_private bigint not null, player_count bigint not null,
  created_at bigint not null, free_seats bigint not null, labels text collate "C" not null, body text not null
);
create index lobby_by_created on lobby (project_id, status, created_at, id);
create index lobby_by_players on lobby (project_id, status, player_count, created_at, id);
-- The fullest open lobby is the first of this index.
create index lobby_open on lobby (project_id, queue_id, free_seats, created_at, id) where free_seats > 0;
-- A lobby is found by its players and by its settings: each is a label.
create index lobby_by_label on lobby using gin (string_to_array(labels, chr(1))) with (fastupdate = off);

create table lobby_count (
  project_id text collate "C" not null, queue_id text collate "C" not null, status text collate "C" not null,
  region text collate "C" not null, is_private bigint not null, stripe bigint not null, n bigint not null,
  primary key (project_id, queue_id, status, region, is_private, stripe)
) with (fillfactor = 50);

-- A running match's request for newcomers stands beside the tickets of its queue and is counted nowhere: it has fewer players than none.
create table ticket (
  id text collate "C" primary key, version bigint not null,
  queue_key text collate "C" not null, players bigint not null, body text not null
);
create index ticket_by_queue on ticket (queue_key, id);
-- Those who wait, in an order that has nothing to do with them: by the ends of their ids.
create index party_by_chance on ticket (queue_key, right(id, 8)) where players >= 0;

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

create table cooldown (
  id text collate "C" primary key, version bigint not null, until bigint not null, body text not null
);
create index cooldown_by_end on cooldown (until);

create table ban (
  id text collate "C" primary key, version bigint not null, project_id text collate "C" not null,
  created_at bigint not null, until bigint, body text not null
);
create index ban_by_age on ban (project_id, created_at, id);
create index ban_by_end on ban (until, id) where until is not null;
create index ban_of_project_by_end on ban (project_id, until, id) where until is not null;

create table rating (
  id text collate "C" primary key, version bigint not null, project_id text collate "C" not null, rating_id text collate "C" not null, body text not null
);
create index rating_by_id on rating (project_id, rating_id);

-- The order of the places is that of the leaderboard. A leaderboard is made of ranges of numbers of matches, each a hash of its name: some
-- tiers, and levels where a tier is too wide. The highest level is a tier. A standing without matches is on no leaderboard.
create table standing (
  id text collate "C" primary key, version bigint not null, project_id text collate "C" not null, rating_key text collate "C" not null,
  player_id text collate "C" not null, board_level text collate "C", board_tier text collate "C", place bytea not null,
  body text not null
);
create index standing_by_level on standing (board_level, place) where board_level is not null;
create index standing_by_tier on standing (board_tier, place) where board_tier is not null;
create index standing_of_player on standing (project_id, player_id);
create index standing_of_rating on standing (rating_key);

-- A log's running total says in one look how much of it there is.
create table stream_event (
  lobby_id text collate "C" not null, version bigint not null, name text collate "C" not null, at bigint not null,
  bytes bigint not null, total bigint not null, body text not null, primary key (lobby_id, version)
);
create index stream_aged on stream_event (at);
-- A log that is longer than it may be, in events or in bytes, shows here: versions have no gaps, and totals only grow.
create index stream_long on stream_event (lobby_id)
  where version % 1000 = 0 or total / 4194304 > (total - bytes) / 4194304;

-- A log is cut with the commit that takes it an eighth further, not minutes later: it may grow by megabytes a second. The figures are
-- those of STREAM_RETENTION.
create function stream_cut() returns trigger language plpgsql as $$
begin
  delete from stream_event where lobby_id = new.lobby_id and version < new.version
    and (version <= new.version - 1000 or total - bytes < new.total - 4194304);
  return null;
end $$;
create trigger stream_cut after insert on stream_event for each row
when ((new.version > 1000 and new.version % 125 = 0)
  or (new.total > 4194304 and new.total / 524288 > (new.total - new.bytes) / 524288))
execute function stream_cut();
`
