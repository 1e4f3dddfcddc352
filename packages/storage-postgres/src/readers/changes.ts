import { CHANGE_KINDS, type Change, type ChangeBounds, type ChangeKind, type Changes } from '@matchyard/core/ports'
import type { ClientBase } from 'pg'
import { fromColumn, toColumn } from '../column-text'
import type { Changed } from '../commit/log-write'
import type { History } from '../connections/history'
import type { Database } from '../database'
import { send } from '../send'
import { type LogRow, changeStatements as statements } from '../statements/changes'
import { newestOf } from './snapshot'

/**
 * Position of a reader in the log of changes. A reader reads in passes. A pass returns, in pages, every commit that is
 * not visible in the snapshot `base`. The next pass starts from the snapshot of this pass's first page. See
 * `tickets.ts` for the reason. A reader without a cursor first reads all entities of the project, kind by kind.
 */
type Position =
  | readonly ['walk', pass: string, kind: number, first: string, second: string, id: string]
  /** Position within a pass. `told` is the number of changes of the commit `commitId` that were returned already. */
  | readonly ['pass', base: string, pass: string, xid: string, commitId: string, told: number]
  | readonly ['seen', snapshot: string]

/** Cursor of a reader. It is valid on any node, but only for the history and the table in which it was made. */
interface Cursor {
  readonly past: string
  readonly log: string
  readonly at: Position
}

interface Page {
  readonly log: string
  readonly next: Position
  readonly more: boolean
  readonly changes: readonly Change[]
}

/** Arguments of a read, except the position. */
interface Reading {
  readonly client: ClientBase
  readonly history: History
  readonly project: string
  readonly bounds: ChangeBounds
}

const FROM_NUMBER = '-1'
/**
 * Values that are lower than those of the first row of each kind, in the column by which the rows are ordered: a number
 * or a text.
 */
const FIRST_OF: Readonly<Record<ChangeKind, string>> = {
  build: FROM_NUMBER,
  lobby: '',
  match: '',
  queue: '',
  server: FROM_NUMBER,
}
const kindAt = (index: number): ChangeKind | undefined => CHANGE_KINDS[index]
const beginningOf = (index: number): [first: string, second: string, id: string] => [
  FIRST_OF[kindAt(index) ?? 'lobby'],
  FROM_NUMBER,
  '',
]
const BEGINNING: Position = ['walk', '', 0, ...beginningOf(0)]

export function changesSince(
  database: Database,
  history: History,
  projectId: string,
  cursor: string | undefined,
  bounds: ChangeBounds,
): Promise<Changes> {
  const from = cursor === undefined ? undefined : (JSON.parse(cursor) as Cursor)
  return database.readOn(async (client) => {
    const reading = { client, history, project: toColumn(projectId), bounds }
    const goesOn = from !== undefined && history.holdsOn(client, from.past)
    const page = goesOn ? await readPage(reading, from.at) : undefined
    const told = page !== undefined && page.log === from?.log ? page : await readPage(reading, BEGINNING)
    // The page is undefined only when the database was set back to older data between two reads.
    if (told === undefined) throw new Error('the database was set back to an earlier state during the read')
    const { changes, more, log, next } = told
    const at: Cursor = { past: history.nameOn(client), log, at: next }
    return { changes, cursor: JSON.stringify(at), more, startedOver: from !== undefined && told !== page }
  })
}

export function changesNow(database: Database, history: History): Promise<string> {
  return database.readOn(async (client) => {
    const { floor } = history
    const past = history.nameOn(client)
    const [seen] = (await send(client, statements.snapshot, [])).rows
    if (seen === undefined) throw new Error('a read of changes tells its snapshot')
    history.saw(newestOf(seen.snapshot), floor)
    return JSON.stringify({ past, log: seen.log, at: ['seen', seen.snapshot] } satisfies Cursor)
  })
}

/**
 * Returns a page of changes. Returns undefined for an invalid cursor: its changes were pruned, or its snapshot contains
 * commits that are lost.
 */
const readPage = (reading: Reading, at: Position): Promise<Page | undefined> =>
  at[0] === 'walk' ? walkHeld(reading, at) : readLog(reading, at)

async function walkHeld(
  { client, history, project, bounds: { limit, maxBytes } }: Reading,
  at: Extract<Position, readonly ['walk', ...unknown[]]>,
): Promise<Page | undefined> {
  const { floor } = history
  const [seen] = (await send(client, statements.snapshot, [])).rows
  if (seen === undefined) throw new Error('a read of changes tells its snapshot')
  const { snapshot, log } = seen
  if (!history.saw(newestOf(snapshot), floor)) return undefined
  if (isToCome(at[1], snapshot)) return undefined
  const pass = at[1] || snapshot
  let [, , index, ...last] = at
  for (let kind = kindAt(index); kind !== undefined; kind = kindAt(index)) {
    const walked = kind
    const { rows } = await send(client, statements.held[kind], [project, ...last, limit, maxBytes])
    const end = rows.at(-1)
    if (end !== undefined) {
      const changes = rows.map(({ id, version, body }) => changeOf(walked, fromColumn(id), version, body))
      return { log, changes, next: ['walk', pass, index, end.first, end.second, end.id], more: true }
    }
    index++
    last = beginningOf(index)
  }
  return { log, changes: [], next: ['seen', pass], more: true }
}

/** One change in the log of changes, with its position. */
interface Entry {
  readonly changed: Changed
  readonly xid: string
  readonly commitId: string
  /** Position of the change among the changes of its commit; the first is 1. */
  readonly place: number
}

async function readLog(
  { client, history, project, bounds: { limit, maxBytes } }: Reading,
  at: Exclude<Position, readonly ['walk', ...unknown[]]>,
): Promise<Page | undefined> {
  const { floor } = history
  const [xid, commitId, told] = at[0] === 'pass' ? [at[3], at[4], at[5]] : ['0', '', 0]
  const { rows } = await send(client, statements.log, [project, at[1], xid, toColumn(commitId), limit + 1])
  const [first] = rows
  if (first === undefined) throw new Error('a read of changes tells its snapshot')
  const { snapshot, log } = first
  if (!history.saw(newestOf(snapshot), floor) || first.forgotten === 't') return undefined
  if (isToCome(at[1], snapshot)) return undefined
  const pass = at[0] === 'pass' ? at[2] : snapshot
  const all = rows.flatMap(entriesOf).filter((entry) => entry.commitId !== commitId || entry.place > told)
  const entries = all.slice(0, limit)
  const { changes, read } = await tellThings(client, entries, maxBytes)
  const last = entries[read - 1]
  const more = last !== undefined && (read < all.length || rows.length > limit)
  const next: Position = more ? ['pass', at[1], pass, last.xid, last.commitId, last.place] : ['seen', pass]
  return { log, changes, next, more }
}

/**
 * Whether a cursor's snapshot is newer than the current one: the cursor then comes from another history of the
 * database.
 */
const isToCome = (seen: string, snapshot: string): boolean => seen !== '' && newestOf(seen) > newestOf(snapshot)

function entriesOf({ id, xid, changed }: LogRow): Entry[] {
  if (id === null) return []
  const commitId = fromColumn(id)
  return (JSON.parse(changed) as Changed[]).map((one, index) => ({ changed: one, xid, commitId, place: index + 1 }))
}

/**
 * Returns the current values of the entities that changed. Skips an entity that changed again: its newest change comes
 * later in the log, or in the next pass. `read` is the number of entries that fit into `maxBytes`.
 */
async function tellThings(client: ClientBase, entries: readonly Entry[], maxBytes: number) {
  const changes: Change[] = []
  if (entries.length === 0) return { changes, read: 0 }
  const { rows } = await send(client, statements.things, [
    entries.map(({ changed: [kind] }) => kind),
    entries.map(({ changed: [, id] }) => toColumn(id)),
    entries.map(({ changed: [, , version, removed] }) => (removed === undefined ? version : 0)),
    maxBytes,
  ])
  for (const [index, { changed }] of entries.entries()) {
    const [kind, id, version, removed] = changed
    const row = rows[index]
    const isThere = row !== undefined && row.version !== null
    if (removed !== undefined) {
      if (!isThere) changes.push(changeOf(kind, id, version, undefined))
      continue
    }
    if (!isThere || row.version !== version) continue
    if (row.body === null) return { changes, read: index }
    changes.push(changeOf(kind, id, version, row.body))
  }
  return { changes, read: entries.length }
}

// The compiler cannot derive the type of the value from `kind`.
const changeOf = (kind: ChangeKind, id: string, version: number, body: string | undefined): Change =>
  ({ kind, id, version, value: body === undefined ? undefined : JSON.parse(body) }) as Change
