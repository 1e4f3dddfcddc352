import { statement } from './statement'

/** A read of changes is one row per change, and one row without a change where there is none: the snapshot is always told. */
export interface ChangeRow {
  /** What was visible to this read, as `xmin:xmax:xip_list`. */
  readonly snapshot: string
  /** Which log of changes was read: a restored one is another table. */
  readonly log: string
  readonly ticket_id: string | null
  readonly xid: string | null
  /** null for a tombstone. */
  readonly body: string | null
}

/** The changes of tickets. */
export const streamStatements = {
  /** queue, the snapshot up to which everything was told, the last change told of this pass (xid and ticket), limit. */
  changes: statement<ChangeRow>(
    'ticket_changes',
    `select pg_current_snapshot()::text as snapshot, 'ticket_change'::regclass::oid::text as log, c.ticket_id, c.xid::text as xid, c.body
     from (values (1)) as one left join lateral (
       select c.ticket_id, c.xid, t.body
       from ticket_change c left join ticket t on t.id = c.ticket_id and c.removed_at is null
       where c.queue_key = $1 and c.xid >= pg_snapshot_xmin($2::pg_snapshot)
         and not pg_visible_in_snapshot(c.xid, $2::pg_snapshot)
         and (c.xid, c.ticket_id) > ($3::xid8, $4::text)
       order by c.xid, c.ticket_id limit $5
     ) as c on true order by c.xid, c.ticket_id`,
  ),
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
  waitingTickets: statement<ChangeRow>(
    'waiting_tickets',
    `select pg_current_snapshot()::text as snapshot, 'ticket_change'::regclass::oid::text as log, t.id as ticket_id, null as xid, t.body
     from (values (1)) as one left join lateral (
       select id, body from ticket where queue_key = $1 and id > $2 order by id limit $3
     ) as t on true order by t.id`,
  ),
}
