/**
 * A match says in its row how far it is. Of those from before it is seen from their lobbies: one whose lobbies are on the way to
 * the game is launching, any other that has not ended is running. The text is kept as it is: players' keys have an order.
 */
export const matchStatus = `
update match set body = '{"status":"' || case
  when json_extract(body, '$.endedAt') is not null then 'ended'
  when exists (
    select 1 from json_each(match.body, '$.lobbyIds') as part
    join lobby on lobby.id = part.value where lobby.status in ('matched', 'starting')
  ) then 'launching'
  else 'running'
end || '",' || substr(body, 2) where json_extract(body, '$.status') is null;
`
