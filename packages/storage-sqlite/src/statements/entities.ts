import { ENTITY_KINDS, type EntityKind } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { type Prepared, prepare } from './prepare'
import { type ColumnValue, ENTITY_TABLES } from './tables'

/** rowid, version, the unique keys as JSON, then the table's own columns. */
export type CurrentRow = readonly [rowid: number, version: number, keys: string | null, ...columns: ColumnValue[]]
export const FIRST_COLUMN = 3

/** The statements every kind has alike; the tables differ in their columns only, so their text is made from those. */
export interface EntityStatements {
  readonly current: Prepared<[string], CurrentRow>
  readonly body: Prepared<[string], string>
  readonly insert: Prepared<ColumnValue[]>
  /**
   * Sets `version`, the columns of these places and `body`; the rowid comes last. SQLite touches an index, and compiles a trigger, for
   * every column that is named, whether its value is another or not.
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

/** Statements of a table that are kept: SQLite holds some ten kilobytes for each. */
export const UPDATES_KEPT = 16

/**
 * What changes in a row are a few sets of columns, so each has a statement of its own, made when it is first wanted; the ones that were
 * wanted last are kept.
 */
function updates(db: Database, table: string, own: readonly string[]): EntityStatements['update'] {
  const made = new Map<string, Prepared<ColumnValue[]>>()
  return (places) => {
    const key = places.join()
    const known = made.get(key)
    if (known !== undefined) {
      if (made.size < UPDATES_KEPT) return known
      // To the end: the first is the one that was not wanted for longest.
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
