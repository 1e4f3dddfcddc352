import { HISTORY_STEPS } from '@matchyard/core/ports'
import { statement } from './statement'

/**
 * Number of rows (stripes) over which one total is spread. With more rows, fewer writers wait for each other, but
 * readers add up more rows.
 */
const STRIPES = 16
/** The stripe to which the current connection adds. */
const STRIPE = `pg_backend_pid() % ${STRIPES}`

interface QueueCount {
  readonly queue_key: string
  readonly parties: number
  readonly players: number
}

/**
 * Statements of the stored totals. A commit adds differences to the stripe of its connection; readers add up all
 * stripes of a total.
 */
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
  addWaits: statement(
    'add_match_waits',
    `insert into match_wait (queue_key, players, bucket, slot, stripe, count, least_ms, most_ms)
     select queue_key, players, bucket, slot, ${STRIPE}, count, least_ms, most_ms
     from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
       as v(queue_key, players, bucket, slot, count, least_ms, most_ms)
     on conflict (queue_key, players, bucket, slot, stripe) do update
       set count = match_wait.count + excluded.count, least_ms = least(match_wait.least_ms, excluded.least_ms),
         most_ms = greatest(match_wait.most_ms, excluded.most_ms)`,
  ),
  addUsage: statement(
    'add_usage_sums',
    `insert into usage_sum (account_id, begins_at, project_id, tier, stripe, seconds)
     select account_id, begins_at, project_id, tier, ${STRIPE}, seconds
     from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[])
       as v(account_id, begins_at, project_id, tier, seconds)
     on conflict (account_id, begins_at, project_id, tier, stripe) do update
       set seconds = usage_sum.seconds + excluded.seconds`,
  ),
  // Many connections add to the rows of minutes. One job adds to the rows of longer steps, so these have one stripe.
  addHistory: statement(
    'add_history',
    `insert into history (step, slot, project_id, series, queue_id, key, stripe, count, sum, most)
     select step, slot, project_id, series, queue_id, key, case when step = ${HISTORY_STEPS['1m']} then ${STRIPE} else 0 end,
       count, sum, most
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
       $9::bigint[]) as v(step, slot, project_id, series, queue_id, key, count, sum, most)
     on conflict (step, slot, project_id, series, queue_id, key, stripe) do update
       set count = history.count + excluded.count, sum = history.sum + excluded.sum,
         most = greatest(history.most, excluded.most)`,
  ),
  waits: statement<{ players: number; bucket: number; count: number; least_ms: number; most_ms: number }>(
    'match_waits',
    `select players, bucket, sum(count)::bigint as count, min(least_ms) as least_ms, max(most_ms) as most_ms
     from match_wait where queue_key = $1 and slot >= $2 group by players, bucket order by players, bucket`,
  ),
  waiting: statement<QueueCount>(
    'waiting',
    `select queue_key, sum(parties)::bigint as parties, sum(players)::bigint as players
     from ticket_count group by queue_key having sum(parties) > 0 order by queue_key`,
  ),
  waitingIn: statement<QueueCount>(
    'waiting_in',
    `select queue_key, sum(parties)::bigint as parties, sum(players)::bigint as players
     from ticket_count where queue_key = $1 group by queue_key having sum(parties) > 0`,
  ),
  lobbiesByStatus: statement<{ status: string; n: number }>(
    'lobbies_by_status',
    'select status, sum(n)::bigint as n from lobby_count group by status',
  ),
}
