import { statement } from './statement'

/** One change of a ticket. A read without changes returns one row that holds only the snapshot and the log. */
export interface ChangeRow {
  /** Snapshot of this read, as `xmin:xmax:xip_list`. */
  readonly snapshot: string
  /** Id of the table of changes; a restored table has another id. */
  readonly log: string
  readonly ticket_id: string | null
  readonly xid: string | null
  /** Null for a tombstone, and for a body that did not fit into the bytes. */
  readonly body: string | null
  /** 1 when the row has no body because the maximum bytes are used up. */
  readonly cut: number
}

const CHANGES = `
  select c.ticket_id, c.xid, t.body
  from ticket_change c left join ticket t on t.id = c.ticket_id and c.removed_at is null
  where c.queue_key = $1 and c.xid >= pg_snapshot_xmin($2::pg_snapshot)
    and not pg_visible_in_snapshot(c.xid, $2::pg_snapshot)
    and (c.xid, c.ticket_id) > ($3::xid8, $4::text)
  order by c.xid, c.ticket_id limit $5`

const WAITING = 'select id as ticket_id, body from ticket where queue_key = $1 and id > $2 order by id limit $3'

/**
 * Returns the SQL of rows in the order of `columns`. Rows beyond the maximum bytes have no body, so that it is not
 * read; the first row always has its body.
 */
const cutAfter = (rows: string, columns: string, bytes: string) => `
  select ${columns}, case when place = 1 or bytes <= ${bytes} then c.body end as body, (place > 1 and bytes > ${bytes})::int as cut
  from (
    select c.*, row_number() over so_far as place, sum(coalesce(octet_length(c.body), 0)) over so_far as bytes
    from (${rows}) as c window so_far as (order by ${columns} rows unbounded preceding)
  ) as c`

const READ = `select pg_current_snapshot()::text as snapshot, 'ticket_change'::regclass::oid::text as log, c.ticket_id`

const changesOf = (name: string, rows: string, cut = '0') =>
  statement<ChangeRow>(
    name,
    `${READ}, c.xid::text as xid, c.body, ${cut} as cut
     from (values (1)) as one left join lateral (${rows}) as c on true order by c.xid, c.ticket_id`,
  )

const waitingOf = (name: string, rows: string, cut = '0') =>
  statement<ChangeRow>(
    name,
    `${READ}, null as xid, c.body, ${cut} as cut
     from (values (1)) as one left join lateral (${rows}) as c on true order by c.ticket_id`,
  )

/** Statements that read the changes of tickets. */
export const streamStatements = {
  /**
   * Changes of a queue's tickets. Parameters: queue, the snapshot up to which all changes were returned, transaction
   * and ticket of the last change in this pass, limit.
   */
  changes: changesOf('ticket_changes', CHANGES),
  /** As `changes`, with the maximum bytes as the sixth parameter. */
  changesWithin: changesOf('ticket_changes_within', cutAfter(CHANGES, 'c.xid, c.ticket_id', '$6::bigint'), 'c.cut'),
  /**
   * A random sample of the waiting parties of a queue. Parameters: queue, limit, bytes; the first party is returned
   * even if it is larger. The last eight characters of an id are random, so an order by these characters is independent
   * of the tickets. The condition on these characters leaves the planner only the plan with their index.
   */
  sample: statement<{ body: string }>(
    'sample_tickets',
    `select body from (
       select body, row_number() over chance as n, sum(octet_length(body)) over chance as bytes
       from (
         select body, right(id, 8) as chance from ticket
         where queue_key = $1 and players >= 0 and right(id, 8) >= '' order by right(id, 8) limit $2
       ) as t window chance as (order by chance rows unbounded preceding)
     ) as s where n = 1 or bytes <= $3`,
  ),
  /**
   * Waiting tickets, for a reader without a cursor, which needs no tombstones. Parameters: queue, the last ticket
   * returned, limit.
   */
  waitingTickets: waitingOf('waiting_tickets', WAITING),
  /** As `waitingTickets`, with the maximum bytes as the fourth parameter. */
  waitingTicketsWithin: waitingOf('waiting_tickets_within', cutAfter(WAITING, 'c.ticket_id', '$4::bigint'), 'c.cut'),
}
