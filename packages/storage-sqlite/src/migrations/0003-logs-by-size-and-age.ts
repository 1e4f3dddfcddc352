/**
 * A log's running total says in one look how much of it there is, and an index by instant finds what is too old: what is
 * forgotten is found without reading what is kept. The table is made anew, because the small columns come before the body (a
 * column that is added comes after it, and reading it would read a row's overflow pages); of logs that are too long now only
 * the part that is kept moves over. Fixed figures here are those of STREAM_RETENTION when this was written.
 */
export const logsBySizeAndAge = `
create table stream_event_next (
  lobby_id text not null, version integer not null, name text not null, at integer not null, bytes integer not null,
  total integer not null, body text not null, unique (lobby_id, version)
) strict;
insert into stream_event_next
  select e.lobby_id, e.version, e.name, e.at, e.bytes, s.total, e.body from (
    select lobby_id, version, sum(bytes) over log as total, sum(bytes) over back as back, row_number() over back as n
    from stream_event
    window log as (partition by lobby_id order by version), back as (partition by lobby_id order by version desc)
  ) as s join stream_event e on e.lobby_id = s.lobby_id and e.version = s.version
  where n = 1 or (n <= 1000 and back <= 4194304)
  order by e.rowid;
drop table stream_event;
alter table stream_event_next rename to stream_event;

create index stream_aged on stream_event (at);
-- A log that is longer than it may be, in events or in bytes, shows here: versions have no gaps, and totals only grow.
create index stream_long on stream_event (lobby_id)
  where version % 1000 = 0 or total / 4194304 > (total - bytes) / 4194304;

-- A log is cut with the commit that takes it an eighth further, not minutes later: it may grow by megabytes a second.
create trigger stream_cut after insert on stream_event
when (new.version > 1000 and new.version % 125 = 0)
  or (new.total > 4194304 and new.total / 524288 > (new.total - new.bytes) / 524288)
begin
  delete from stream_event where lobby_id = new.lobby_id and version < new.version
    and (version <= new.version - 1000 or total - bytes < new.total - 4194304);
end;
`
