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
 * Where a reader stands, as with tickets: a pass tells of every commit that `base` did not see, in pages, and the next pass starts from
 * what the first page of this one saw. A reader without a cursor walks what the project holds first, kind by kind.
 */
type Position =
  | readonly ['walk', pass: string, kind: number, first: string, second: string, id: string]
  /** In the middle of a pass: so many changes of this commit were told. */
  | readonly ['pass', base: string, pass: string, xid: string, commitId: string, told: number]
  | readonly ['seen', snapshot: string]

/** A position holds in the past in which it was taken, on whichever node, and in the table that it was taken in. */
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

/** What a read needs to know besides where it stands. */
interface Reading {
  readonly client: ClientBase
  readonly history: History
  readonly project: string
  readonly bounds: ChangeBounds
}

const FROM_NUMBER = '-1'
/** Of the kinds that are walked by a number, and of those that are walked by a text. */
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
    // Only a read that finds the database further back than another one before it has none.
    if (told === undefined) throw new Error('the database went back while it was read')
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

/** Undefined where the cursor does not hold: what it would tell is forgotten, or it has seen what is not there any more. */
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

/** A change as the log has it, and where it stands. */
interface Entry {
  readonly changed: Changed
  readonly xid: string
  readonly commitId: string
  /** Its place among the changes of its commit, from 1. */
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

/** Whoever has seen what is still to come has seen another past. */
const isToCome = (seen: string, snapshot: string): boolean => seen !== '' && newestOf(seen) > newestOf(snapshot)

function entriesOf({ id, xid, changed }: LogRow): Entry[] {
  if (id === null) return []
  const commitId = fromColumn(id)
  return (JSON.parse(changed) as Changed[]).map((one, index) => ({ changed: one, xid, commitId, place: index + 1 }))
}

/** What changed again since is passed over: its newest change stands further on, or is told by the next pass. */
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

// The kind says which entity it is, which the compiler does not follow.
const changeOf = (kind: ChangeKind, id: string, version: number, body: string | undefined): Change =>
  ({ kind, id, version, value: body === undefined ? undefined : JSON.parse(body) }) as Change
