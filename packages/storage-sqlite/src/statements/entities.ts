import { ENTITY_KINDS, type EntityKind } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { type Prepared, prepare } from './prepare'
import { type ColumnValue, ENTITY_TABLES } from './tables'

/**
 * A row that a commit is about to change: its rowid, its version, its unique keys as JSON, and then the table's own
 * columns.
 */
export type CurrentRow = readonly [rowid: number, version: number, keys: string | null, ...columns: ColumnValue[]]
export const FIRST_COLUMN = 3

/** Statements that every kind of entity has. The tables differ only in their columns, from which the SQL is made. */
export interface EntityStatements {
  readonly current: Prepared<[string], CurrentRow>
  readonly body: Prepared<[string], string>
  readonly insert: Prepared<ColumnValue[]>
  /**
   * Returns the statement that sets `version`, `body` and the columns at the given positions; the rowid is its last
   * parameter. Callers should name only changed columns: SQLite updates an index, and compiles a trigger, for every
   * named column, even when the value stays equal.
   */
  readonly update: (places: readonly number[]) => Prepared<ColumnValue[]>
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
  const current = ['rowid', 'version', keyed ? 'unique_keys' : 'null', ...columns]
  return {
    current: prepare<unknown[]>(db, `select ${current.join(', ')} from ${table} where id = ?`).raw(),
    body: prepare<unknown[]>(db, `select body from ${table} where id = ?`).pluck(),
    insert: prepare<unknown[]>(
      db,
      `insert into ${table} (${all.join(', ')}) values (${all.map(() => '?').join(', ')})`,
    ),
    update: updates(db, table, own),
    remove: prepare<unknown[]>(db, `delete from ${table} where rowid = ?`),
  } as EntityStatements
}

/** Maximum number of update statements per table: SQLite needs about ten kilobytes for each. */
export const UPDATES_KEPT = 16

/**
 * Returns the function that makes update statements. Real changes use only a few different sets of columns. Each set
 * has one statement, prepared at its first use; the least recently used statement is removed.
 */
function updates(db: Database, table: string, own: readonly string[]): EntityStatements['update'] {
  const made = new Map<string, Prepared<ColumnValue[]>>()
  return (places) => {
    const key = places.join()
    const known = made.get(key)
    if (known !== undefined) {
      if (made.size < UPDATES_KEPT) return known
      // The statement moves to the end of the map, so that the first statement is the least recently used.
      made.delete(key)
      made.set(key, known)
      return known
    }
    const set = ['version', ...places.map((place) => own[place]), 'body'].map((column) => `${column} = ?`)
    const statement = prepare<ColumnValue[]>(db, `update ${table} set ${set.join(', ')} where rowid = ?`)
    for (const oldest of made.size < UPDATES_KEPT ? [] : [...made.keys()].slice(0, 1)) made.delete(oldest)
    made.set(key, statement)
    return statement
  }
}
