/** Every word by which a lobby of an older row is found; written as the code does from now on. */
const labels = (kind: string, columns: readonly string[], where: string) => `
  select '${kind}[' || ${columns.map((column) => `to_json(${column})::text || ','`).join(' || ')} || to_json(key)::text || ','
    || value::text || ']' as label
  from (
    select key, value from json_each(body::json -> 'settings') with ordinality as s (key, value, at)
    where json_typeof(value) not in ('object', 'array')
      and octet_length(to_json(key)::text) <= 64 and octet_length(value::text) <= 128
    order by at limit 16
  ) as setting where ${where}`

/**
 * A lobby is found by its players and by its settings: each is a label, in one column as \`jsonList\` writes it. How many seats are
 * free is a column, so that the fullest open lobby is the first of an index. A match is found by its players. A pending list would be read through by every search.
 *
 * Texts with U+0000, which the database cannot read out of JSON, get theirs, and their seats, by `relabel`.
 */
export const lobbyLabels = `
alter table lobby add column free_seats bigint not null default 0,
  add column labels text collate "C" not null default '';
update lobby set free_seats = greatest(0, (body::json ->> 'maxPlayers')::bigint - player_count)
  where status = 'waiting' and is_private = 0 and strpos(body, '\\u0000') = 0;
update lobby set labels = coalesce((select string_agg(label, chr(1)) from (
  select 'p[' || to_json(project_id)::text || ',' || (player -> 'playerId')::text || ']' as label
  from json_array_elements(body::json -> 'players') as player
  union all ${labels('s', ['project_id'], 'true')}
  union all ${labels('o', ['project_id', 'queue_id'], 'free_seats > 0')}
) as labelled), '') where strpos(body, '\\u0000') = 0;
create index lobby_open on lobby (project_id, queue_id, free_seats, created_at, id) where free_seats > 0;
alter table match add column labels text collate "C" not null default '';
update match set labels = coalesce((
  select string_agg(distinct 'p[' || (body::json -> 'projectId')::text || ',' || (player -> 'playerId')::text || ']', chr(1))
  from json_array_elements(body::json -> 'teams') as team, json_array_elements(team -> 'players') as player
), '') where strpos(body, '\\u0000') = 0;
create index match_by_label on match using gin (string_to_array(labels, chr(1))) with (fastupdate = off);
create index lobby_by_label on lobby using gin (string_to_array(labels, chr(1))) with (fastupdate = off);
`
