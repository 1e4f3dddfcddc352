import type { ChangeKind } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { type Prepared, prepare } from './prepare'
import { PRUNE_SLICE } from './prune'

export interface LogRow {
  readonly sequence: number
  /** Changes as JSON: a list of `[kind, id, version, 1]`. The 1 is present only for a removed entity. */
  readonly changed: string
}

/** A changed entity in the form in which the log stores it. */
export type Changed = readonly [kind: ChangeKind, id: string, version: number, removed?: 1]

/** A row of a project, with its values of the columns by which the rows are ordered. */
export interface HeldRow {
  readonly first: string | number
  readonly second: number
  readonly id: string
  readonly version: number
  readonly body: string
}

/**
 * Statement that reads a page of a project's rows. Parameters: the project, the last row of the page before, the limit.
 */
type Walk = Prepared<[{ project: string; first: string | number; second: number; id: string; limit: number }], HeldRow>

/**
 * Condition, order columns and existing index with which the rows of each kind are read. A row that moves in this order
 * during the read is also in the log of changes, so readers do not miss it.
 */
const WALKS: Readonly<Record<ChangeKind, { where: string; first: string; second: string; index: string }>> = {
  build: { where: 'project_id = @project', first: 'created_at', second: '0', index: 'build_by_project' },
  lobby: { where: 'project_id = @project', first: 'status', second: 'created_at', index: 'lobby_by_created' },
  // A queue's key is the project's id, a slash and the queue's id; `0` is the character after the slash.
  match: {
    where: "queue_key >= @project || '/' and queue_key < @project || '0'",
    first: 'queue_key',
    second: 'created_at',
    index: 'match_by_queue',
  },
  queue: { where: 'project_id = @project', first: 'queue_id', second: '0', index: 'queue_by_project' },
  server: { where: 'project_id = @project', first: 'created_at', second: '0', index: 'server_by_created' },
}

const walk = (db: Database, kind: ChangeKind): Walk => {
  const { where, first, second, index } = WALKS[kind]
  const [columns, from] =
    second === '0' ? [`${first}, id`, '@first, @id'] : [`${first}, ${second}, id`, '@first, @second, @id']
  return prepare(
    db,
    `select ${first} as first, ${second} as second, id, version, body from ${kind} indexed by ${index}
     where ${where} and (${columns}) > (${from}) order by ${columns} limit @limit`,
  )
}

/** Statements of the log of changes in projects. */
export const changeStatements = (db: Database) => ({
  add: prepare<[string, number, string]>(db, 'insert into change (project_id, at, changed) values (?, ?, ?)'),
  since: prepare<[string, number, number], LogRow>(
    db,
    `select sequence, changed from change indexed by change_by_project
     where project_id = ? and sequence > ? order by sequence limit ?`,
  ),
  oldest: prepare<[], number | null>(db, 'select min(sequence) from change').pluck(),
  newest: prepare<[], number | null>(db, 'select max(sequence) from change').pluck(),
  held: {
    build: walk(db, 'build'),
    lobby: walk(db, 'lobby'),
    match: walk(db, 'match'),
    queue: walk(db, 'queue'),
    server: walk(db, 'server'),
  } satisfies Record<ChangeKind, Walk>,

  slice: prepare<[], { sequence: number; at: number }>(
    db,
    `select sequence, at from change where sequence > 0 order by sequence limit ${PRUNE_SLICE + 1}`,
  ),
  forget: prepare<[number]>(db, 'delete from change where sequence <= ?'),
})

export type ChangeStatements = ReturnType<typeof changeStatements>
