import { statement } from './statement'

interface Part {
  readonly slot: number
  readonly key: string
  readonly count: number
  readonly sum: number
  readonly most: number
}

// The lateral query runs once for each slot, as one search in the primary key.
const parts = (name: string, queue: string) =>
  statement<Part>(
    name,
    `select slot, part.* from generate_series($3::bigint, $4::bigint - 1, $5::bigint) as slot cross join lateral (
       select key, sum(count)::bigint as count, sum(sum)::bigint as sum, max(most) as most from history
       where history.step = $5 and history.slot = slot.slot and project_id = $1 and series = $2 ${queue} group by key
     ) as part order by slot, key limit $6`,
  )

/** Statements that read the history. */
export const historyStatements = {
  ofProject: parts('history_of_project', ''),
  ofQueue: parts('history_of_queue', 'and queue_id = $7'),
  rows: statement<Part & { readonly project_id: string; readonly series: string; readonly queue_id: string }>(
    'history_rows',
    `select slot, project_id, series, queue_id, key, sum(count)::bigint as count, sum(sum)::bigint as sum, max(most) as most
     from history where step = $1 and slot < $2 and (slot, project_id, series, queue_id, key) > ($3, $4, $5, $6, $7)
     group by slot, project_id, series, queue_id, key order by slot, project_id, series, queue_id, key limit $8`,
  ),
}
