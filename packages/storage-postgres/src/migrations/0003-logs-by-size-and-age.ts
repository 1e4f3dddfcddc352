/**
 * A log's running total says in one look how much of it there is, and an index by instant finds what is too old: what is
 * forgotten is found without reading what is kept. Fixed figures here are those of STREAM_RETENTION when this was written.
 * A node of the version before, which knows of no total, may go on writing: its events count as nothing until they are old.
 */
export const logsBySizeAndAge = `
alter table stream_event add column total bigint not null default 0;
delete from stream_event e using (
  select lobby_id, version, row_number() over back as n, sum(bytes) over back as back
  from stream_event window back as (partition by lobby_id order by version desc)
) as s where e.lobby_id = s.lobby_id and e.version = s.version and s.n > 1 and (s.n > 1000 or s.back > 4194304);
update stream_event e set total = s.total from (
  select lobby_id, version, sum(bytes) over (partition by lobby_id order by version) as total from stream_event
) as s where e.lobby_id = s.lobby_id and e.version = s.version;

drop index stream_deleted, stream_long;
create index stream_aged on stream_event (at);
-- A log that is longer than it may be, in events or in bytes, shows here: versions have no gaps, and totals only grow.
create index stream_long on stream_event (lobby_id)
  where version % 1000 = 0 or total / 4194304 > (total - bytes) / 4194304;

-- A log is cut with the commit that takes it an eighth further, not minutes later: it may grow by megabytes a second.
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
