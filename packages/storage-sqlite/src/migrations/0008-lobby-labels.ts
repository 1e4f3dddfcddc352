/** Every word by which a lobby of an older row is found; written as the code does from now on. */
const LABELS = (columns: string, kind: string, where: string) => `
  select '${kind}' || json_array(${columns}, key, case type when 'true' then json('true') when 'false' then json('false')
    else value end) as label
  from (
    select key, type, value from json_each(lobby.body, '$.settings')
    where type not in ('object', 'array') and octet_length(json_quote(key)) <= 64 and octet_length(json_quote(value)) <= 128
    limit 16
  ) where ${where}`

/** The table of a table's labels, and the triggers that keep it. */
const labelled = (table: 'lobby' | 'match') => `
create table ${table}_label (
  label text not null, ${table}_id text not null, primary key (label, ${table}_id)
) strict, without rowid;
create trigger ${table}_labelled after insert on ${table} begin
  insert or ignore into ${table}_label select value, new.id from json_each(new.labels);
end;
create trigger ${table}_relabelled after update of labels on ${table} when old.labels is not new.labels begin
  delete from ${table}_label where ${table}_id = new.id
    and label in (select value from json_each(old.labels) except select value from json_each(new.labels));
  insert or ignore into ${table}_label
    select value, new.id from (select value from json_each(new.labels) except select value from json_each(old.labels));
end;
create trigger ${table}_unlabelled after delete on ${table} begin
  delete from ${table}_label where ${table}_id = old.id and label in (select value from json_each(old.labels));
end;`

/**
 * A lobby is found by its players and by its settings: each is a label, and the table of labels is kept by triggers, in the same
 * transaction as the rows. How many seats are free is a column, so that the fullest open lobby is the first of an index. A match is found by its players.
 */
export const lobbyLabels = `
alter table lobby add column free_seats integer not null default 0;
alter table lobby add column labels text not null default '[]';
create index lobby_open on lobby (project_id, queue_id, free_seats, created_at, id) where free_seats > 0;

${labelled('lobby')}
alter table match add column labels text not null default '[]';
${labelled('match')}

update lobby set free_seats = max(0, coalesce(json_extract(body, '$.maxPlayers') - player_count, 0))
  where status = 'waiting' and is_private = 0;
update lobby set labels = (select json_group_array(label) from (
  select 'p' || json_array(lobby.project_id, json_extract(value, '$.playerId')) as label
  from json_each(lobby.body, '$.players')
  union all ${LABELS('lobby.project_id', 's', 'true')}
  union all ${LABELS('lobby.project_id, lobby.queue_id', 'o', 'lobby.free_seats > 0')}
));
update match set labels = (select json_group_array(distinct label) from (
  select 'p' || json_array(json_extract(match.body, '$.projectId'), json_extract(player.value, '$.playerId')) as label
  from json_each(match.body, '$.teams') as team, json_each(team.value, '$.players') as player
));
`
