import type { ChangeKind } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { type Prepared, prepare } from './prepare'
import { PRUNE_SLICE } from './prune'

export interface LogRow {
  readonly sequence: number
  /** JSON: a list of `[kind, id, version, 1 where it was removed]`. */
  readonly changed: string
}

/** One change, as it lies in the log. */
export type Changed = readonly [kind: ChangeKind, id: string, version: number, removed?: 1]

/** One of those that a project holds, with the columns by which its table is walked. */
export interface HeldRow {
  readonly first: string | number
  readonly second: number
  readonly id: string
  readonly version: number
  readonly body: string
}

/** Project, its queues' keys from and to, the last row told, limit. */
type Walk = Prepared<[{ project: string; first: string | number; second: number; id: string; limit: number }], HeldRow>

/**
 * Walks that what a project holds is read by, along an index that is there already. One that moves while it is walked is told as a
 * change, wherever it went.
 */
const WALKS: Readonly<Record<ChangeKind, { where: string; first: string; second: string; index: string }>> = {
  build: { where: 'project_id = @project', first: 'created_at', second: '0', index: 'build_by_project' },
  lobby: { where: 'project_id = @project', first: 'status', second: 'created_at', index: 'lobby_by_created' },
  // A queue's key is the project's id, a slash and the queue's own; a zero comes after the slash.
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

/** The log of what changed in projects. */
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
