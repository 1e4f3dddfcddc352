import { ENTITY_KINDS, type EntityKind } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { type Prepared, prepare } from '../prepare'
import { type ColumnValue, ENTITY_TABLES } from '../tables'

/** rowid, version, the unique keys as JSON, then the table's own columns. */
export type CurrentRow = readonly [rowid: number, version: number, keys: string | null, ...columns: ColumnValue[]]
export const FIRST_COLUMN = 3

/** The statements every kind has alike; the tables differ in their columns only, so their text is made from those. */
export interface EntityStatements {
  readonly current: Prepared<[string], CurrentRow>
  readonly body: Prepared<[string], string>
  readonly insert: Prepared<ColumnValue[]>
  /** Touches every index; the rowid comes last. */
  readonly update: Prepared<ColumnValue[]>
  /** For a change that leaves the columns as they are: SQLite then touches no index and runs no trigger. */
  readonly updateBody: Prepared<[number, string, number]>
  readonly remove: Prepared<[number]>
}

export function entityStatements(db: Database): Record<EntityKind, EntityStatements> {
  const statements = ENTITY_KINDS.map((kind) => [kind, statementsOf(db, kind)] as const)
  return Object.fromEntries(statements) as Record<EntityKind, EntityStatements>
}

function statementsOf(db: Database, kind: EntityKind): EntityStatements {
  const { table, keyed, columns } = ENTITY_TABLES[kind]
  const own = [...(keyed ? ['unique_keys'] : []), ...columns]
  const all = ['id', 'version', ...own, 'body']
  const set = ['version', ...own, 'body'].map((column) => `${column} = ?`)
  const current = ['rowid', 'version', keyed ? 'unique_keys' : 'null', ...columns]
  return {
    current: prepare<unknown[]>(db, `select ${current.join(', ')} from ${table} where id = ?`).raw(),
    body: prepare<unknown[]>(db, `select body from ${table} where id = ?`).pluck(),
    insert: prepare<unknown[]>(
      db,
      `insert into ${table} (${all.join(', ')}) values (${all.map(() => '?').join(', ')})`,
    ),
    update: prepare<unknown[]>(db, `update ${table} set ${set.join(', ')} where rowid = ?`),
    updateBody: prepare<unknown[]>(db, `update ${table} set version = ?, body = ? where rowid = ?`),
    remove: prepare<unknown[]>(db, `delete from ${table} where rowid = ?`),
  } as EntityStatements
}
