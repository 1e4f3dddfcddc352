import type { TicketChanges } from '@matchyard/core'
import { fromColumn, toColumn } from '../column-text'
import type { Database } from '../database'
import { type ChangeRow, streamStatements } from '../statements/streams'

/**
 * Where a reader stands. A pass tells of every change that `base` did not see; it may take several pages, each with a later
 * view of the data, so the next pass starts from what the pass saw first. A change that commits late is not in `base`,
 * however old its transaction, and is told by the pass after its commit; one that commits between two pages may be told twice.
 */
type Cursor =
  /** Reading everything that waits, a page at a time; `pass` is what the first page saw. */
  | readonly ['waiting', pass: string, ticketId: string]
  /** In the middle of a pass. */
  | readonly ['pass', base: string, pass: string, xid: string, ticketId: string]
  | readonly ['seen', snapshot: string]

const write = (cursor: Cursor): string => JSON.stringify(cursor)
const read = (cursor: string): Cursor => JSON.parse(cursor) as Cursor

export async function changedSince(
  database: Database,
  queueKey: string,
  cursor: string | undefined,
  limit: number,
): Promise<TicketChanges> {
  const at = cursor === undefined ? undefined : read(cursor)
  const queue = toColumn(queueKey)
  if (at === undefined || at[0] === 'waiting') {
    const after = at === undefined ? '' : toColumn(at[2])
    const { rows } = await database.read(streamStatements.waitingTickets, [queue, after, limit + 1])
    const pass = at?.[1] ?? snapshotOf(rows)
    return page(rows, limit, pass, ({ ticketId }) => ['waiting', pass, ticketId])
  }
  const [base, xid, ticketId] = at[0] === 'pass' ? [at[1], at[3], at[4]] : [at[1], '0', '']
  const values = [queue, base, xid, toColumn(ticketId), limit + 1]
  const { rows } = await database.read(streamStatements.changes, values)
  const pass = at[0] === 'pass' ? at[2] : snapshotOf(rows)
  return page(rows, limit, pass, (last) => ['pass', base, pass, last.xid, last.ticketId])
}

const snapshotOf = (rows: readonly ChangeRow[]): string => {
  const [first] = rows
  if (first === undefined) throw new Error('a read of changes tells its snapshot')
  return first.snapshot
}

interface Position {
  readonly ticketId: string
  readonly xid: string
}

function page(
  rows: readonly ChangeRow[],
  limit: number,
  pass: string,
  between: (last: Position) => Cursor,
): TicketChanges {
  const found = rows.flatMap(({ ticket_id, xid, body }) =>
    ticket_id === null ? [] : [{ ticketId: fromColumn(ticket_id), xid: xid ?? '', body }],
  )
  const told = found.slice(0, limit)
  const last = told.at(-1)
  const more = found.length > limit && last !== undefined
  return {
    changes: told.map(({ ticketId, body }) => ({ ticketId, ticket: body === null ? undefined : JSON.parse(body) })),
    cursor: write(more ? between(last) : ['seen', pass]),
    more,
  }
}
