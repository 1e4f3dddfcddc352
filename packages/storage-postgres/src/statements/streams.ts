import { statement } from './statement'

/** A read of changes is one row per change, and one row without a change where there is none: the snapshot is always told. */
export interface ChangeRow {
  /** What was visible to this read, as `xmin:xmax:xip_list`. */
  readonly snapshot: string
  /** Which log of changes was read: a restored one is another table. */
  readonly log: string
  readonly ticket_id: string | null
  readonly xid: string | null
  /** null for a tombstone, and for one that is cut. */
  readonly body: string | null
  /** 1 where it is past the bytes that were asked for. */
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

/** What of rows, which the columns order, is past so many bytes is told without its body, so that it is not read. */
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

/** The changes of tickets. */
export const streamStatements = {
  /** queue, the snapshot up to which everything was told, the last change told of this pass (xid and ticket), limit. */
  changes: changesOf('ticket_changes', CHANGES),
  /** The sixth parameter is the bytes. */
  changesWithin: changesOf('ticket_changes_within', cutAfter(CHANGES, 'c.xid, c.ticket_id', '$6::bigint'), 'c.cut'),
  /**
   * Queue, how many, how many bytes of them after the first. Ids end in what was drawn by chance, so their order by it says nothing
   * of the tickets; it is asked for in the condition too, so that no plan but the one of its index comes into question. Parties alone.
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
  /** For a reader that has nothing yet: tombstones would tell it nothing. Queue, the last ticket told, limit. */
  waitingTickets: waitingOf('waiting_tickets', WAITING),
  /** The fourth parameter is the bytes. */
  waitingTicketsWithin: waitingOf('waiting_tickets_within', cutAfter(WAITING, 'c.ticket_id', '$4::bigint'), 'c.cut'),
}
