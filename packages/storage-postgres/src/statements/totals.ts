import { statement } from './statement'

/** Rows of one total; more would spread the writers further and make the readers add up more. */
const STRIPES = 16
/** A connection's own stripe. */
const STRIPE = `pg_backend_pid() % ${STRIPES}`

/** The kept totals. A commit adds differences to its connection's stripe; readers add the stripes up. */
export const totalStatements = {
  addLobbies: statement(
    'add_lobby_totals',
    `insert into lobby_count (project_id, queue_id, status, region, is_private, stripe, n)
     select project_id, queue_id, status, region, is_private, ${STRIPE}, n
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
       as v(project_id, queue_id, status, region, is_private, n)
     on conflict (project_id, queue_id, status, region, is_private, stripe) do update set n = lobby_count.n + excluded.n`,
  ),
  addServers: statement(
    'add_server_totals',
    `insert into server_count (project_id, status, region, stripe, n)
     select project_id, status, region, ${STRIPE}, n
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as v(project_id, status, region, n)
     on conflict (project_id, status, region, stripe) do update set n = server_count.n + excluded.n`,
  ),
  addTickets: statement(
    'add_ticket_totals',
    `insert into ticket_count (queue_key, stripe, parties, players)
     select queue_key, ${STRIPE}, parties, players
     from unnest($1::text[], $2::bigint[], $3::bigint[]) as v(queue_key, parties, players)
     on conflict (queue_key, stripe) do update
       set parties = ticket_count.parties + excluded.parties, players = ticket_count.players + excluded.players`,
  ),
  waiting: statement<{ queue_key: string; parties: number; players: number }>(
    'waiting',
    `select queue_key, sum(parties)::bigint as parties, sum(players)::bigint as players
     from ticket_count group by queue_key having sum(parties) > 0 order by queue_key`,
  ),
  lobbiesByStatus: statement<{ status: string; n: number }>(
    'lobbies_by_status',
    'select status, sum(n)::bigint as n from lobby_count group by status',
  ),
}
