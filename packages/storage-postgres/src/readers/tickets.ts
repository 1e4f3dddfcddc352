import type { TicketChanges } from '@matchyard/core/ports'
import type { ClientBase } from 'pg'
import { fromColumn, toColumn } from '../column-text'
import type { History } from '../connections/history'
import type { Database } from '../database'
import { send } from '../send'
import type { Statement } from '../statements/statement'
import { type ChangeRow, streamStatements } from '../statements/streams'
import { newestOf } from './snapshot'

/**
 * Position of a reader in the changes of a queue's tickets. A reader reads in passes. A pass returns every change that
 * is not visible in the snapshot `base`. A pass may take several pages, each with a later view of the data, so the next
 * pass starts from the snapshot of this pass's first page. A transaction may commit after newer transactions. Its
 * changes are not visible in `base`, so the pass after the commit returns them. A change that commits between two pages
 * may be returned twice.
 */
type Position =
  /** Position in the list of all waiting tickets; `pass` is the snapshot of the first page. */
  | readonly ['waiting', pass: string, ticketId: string]
  /** Position within a pass: after the change that the transaction `xid` made to the ticket `ticketId`. */
  | readonly ['pass', base: string, pass: string, xid: string, ticketId: string]
  | readonly ['seen', snapshot: string]

/** Cursor of a reader. It is valid only for the history and the table in which it was made. */
interface Cursor {
  readonly past: string
  readonly log: string
  readonly at: Position
}

const START: Position = ['waiting', '', '']

export function changedSince(
  database: Database,
  history: History,
  queueKey: string,
  cursor: string | undefined,
  limit: number,
  maxBytes: number | undefined,
): Promise<TicketChanges> {
  const bounds = { limit, maxBytes }
  const queue = toColumn(queueKey)
  const from = cursor === undefined ? undefined : (JSON.parse(cursor) as Cursor)
  return database.readOn(async (client) => {
    const goesOn = from !== undefined && from.past === history.nameOn(client)
    const page = goesOn ? await readPage(client, history, queue, from.at, bounds) : undefined
    if (page !== undefined && page.log === from?.log) return { ...page.changes, startedOver: false }
    const first = await readPage(client, history, queue, START, bounds)
    // The page is undefined only when the database was set back to older data between two reads.
    if (first === undefined) throw new Error('the database was set back to an earlier state during the read')
    return { ...first.changes, startedOver: from !== undefined }
  })
}

interface Bounds {
  readonly limit: number
  readonly maxBytes: number | undefined
}

interface Page {
  readonly log: string
  readonly changes: Omit<TicketChanges, 'startedOver'>
}

/** Returns a page of changes. Returns undefined when the database lacks data that was read earlier. */
async function readPage(
  client: ClientBase,
  history: History,
  queue: string,
  at: Position,
  { limit, maxBytes }: Bounds,
): Promise<Page | undefined> {
  const { floor } = history
  const past = history.nameOn(client)
  const [statement, values] = callFor(queue, at, limit + 1, maxBytes)
  const { rows } = await send(client, statement, values)
  const [first] = rows
  if (first === undefined) throw new Error('a read of changes tells its snapshot')
  const { snapshot, log } = first
  if (!history.saw(newestOf(snapshot), floor)) return undefined
  const found = rows.flatMap(({ ticket_id, xid, body, cut }) =>
    ticket_id === null ? [] : [{ ticketId: fromColumn(ticket_id), xid: xid ?? '', body, cut }],
  )
  const told = found.slice(0, limit).filter(({ cut }) => cut !== 1)
  const last = told.at(-1)
  const more = found.length > told.length && last !== undefined
  const next: Cursor = { past, log, at: more ? between(at, snapshot, last) : ['seen', passOf(at) || snapshot] }
  return {
    log,
    changes: {
      changes: told.map(({ ticketId, body }) => ({ ticketId, ticket: body === null ? undefined : JSON.parse(body) })),
      cursor: JSON.stringify(next),
      more,
    },
  }
}

function callFor(
  queue: string,
  at: Position,
  limit: number,
  maxBytes: number | undefined,
): [Statement<ChangeRow>, readonly unknown[]] {
  const { waitingTickets, waitingTicketsWithin, changes, changesWithin } = streamStatements
  if (at[0] === 'waiting') {
    const asked = [queue, toColumn(at[2]), limit]
    return maxBytes === undefined ? [waitingTickets, asked] : [waitingTicketsWithin, [...asked, maxBytes]]
  }
  const [xid, ticketId] = at[0] === 'pass' ? [at[3], at[4]] : ['0', '']
  const asked = [queue, at[1], xid, toColumn(ticketId), limit]
  return maxBytes === undefined ? [changes, asked] : [changesWithin, [...asked, maxBytes]]
}

/** Returns the snapshot of the pass's first page; an empty string when `at` starts a pass. */
const passOf = (at: Position): string => (at[0] === 'waiting' ? at[1] : at[0] === 'pass' ? at[2] : '')

function between(at: Position, snapshot: string, last: { readonly ticketId: string; readonly xid: string }): Position {
  const pass = passOf(at) || snapshot
  return at[0] === 'waiting' ? ['waiting', pass, last.ticketId] : ['pass', at[1], pass, last.xid, last.ticketId]
}
