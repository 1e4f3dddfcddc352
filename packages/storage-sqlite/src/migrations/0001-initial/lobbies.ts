/**
 * Tables of lobbies, tickets and their logs. In the two indexes of the lobby browser (`lobby_by_created`,
 * `lobby_by_players`), the status comes before the columns of the order: players browse for waiting lobbies, and few
 * lobbies of a game are waiting. A query without a status merges the results for the five statuses. Both indexes also
 * contain every column that a query filters by. A query therefore reads only the index until the page is full, and then
 * only the bodies of the page. There are only two indexes, because each index costs every commit one page of the log.
 *
 * The commit that writes the rows also writes totals and labels. Each player, each banned player and each searchable
 * setting of a lobby is a label by which the lobby is found. The number of free seats is a column, so that the fullest
 * open lobby is the first entry of an index.
 */
export const LOBBY_TABLES = `
create table lobby (
  id text primary key, version integer not null,
  project_id text not null, queue_id text not null, status text not null, region text not null,
  is_private integer not null, player_count integer not null, created_at integer not null,
  free_seats integer not null, labels text not null, unique_keys text, body text not null
) strict;
create index lobby_by_created on lobby (project_id, status, created_at, id, is_private, queue_id, region);
create index lobby_by_players on lobby (project_id, status, player_count, created_at, id, is_private, queue_id, region);
create index lobby_open on lobby (project_id, queue_id, free_seats, created_at, id) where free_seats > 0;
create table lobby_label (
  label text not null, lobby_id text not null, primary key (label, lobby_id)
) strict, without rowid;

create table lobby_count (
  project_id text not null, queue_id text not null, status text not null, region text not null,
  is_private integer not null, n integer not null,
  primary key (project_id, queue_id, status, region, is_private)
) strict, without rowid;

-- A running match's request for newcomers stands beside the tickets of its queue and is counted nowhere: it has fewer players than none.
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
-- Those who wait, in an order that has nothing to do with them: by the ends of their ids.
create index party_by_chance on ticket (queue_key, substr(id, -8)) where players >= 0;

create table cooldown (
  id text primary key, version integer not null, until integer not null, body text not null
) strict;
create index cooldown_by_end on cooldown (until);

create table ban (
  id text primary key, version integer not null, project_id text not null, created_at integer not null, until integer,
  body text not null
) strict;
create index ban_by_age on ban (project_id, created_at, id);
create index ban_by_end on ban (until, id) where until is not null;
create index ban_of_project_by_end on ban (project_id, until, id) where until is not null;

create table rating (
  id text primary key, version integer not null, project_id text not null, rating_id text not null, body text not null
) strict;
create index rating_by_id on rating (project_id, rating_id);

-- The place is a text whose order is that of the leaderboard. A leaderboard is made of ranges of numbers of matches: some tiers, and levels
-- where a tier is too wide. The highest level is a tier. A standing without matches is on no leaderboard.
create table standing (
  id text primary key, version integer not null, project_id text not null, rating_key text not null,
  player_id text not null, board_level text, board_tier text, place text not null, body text not null
) strict;
create index standing_by_level on standing (board_level, place) where board_level is not null;
create index standing_by_tier on standing (board_tier, place) where board_tier is not null;
create index standing_of_player on standing (project_id, player_id);
create index standing_of_rating on standing (rating_key);

-- A log's running total says in one look how much of it there is. The small columns come before the body, so that reading them never
-- touches a row's overflow pages.
create table stream_event (
  lobby_id text not null, version integer not null, name text not null, at integer not null, bytes integer not null,
  total integer not null, body text not null, unique (lobby_id, version)
) strict;
create index stream_aged on stream_event (at);
-- A log that is longer than it may be, in events or in bytes, shows here: versions have no gaps, and totals only grow.
create index stream_long on stream_event (lobby_id)
  where version % 1000 = 0 or total / 4194304 > (total - bytes) / 4194304;
`
