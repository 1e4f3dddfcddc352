import type { Database } from 'better-sqlite3'
import { type Prepared, prepare } from './prepare'

interface Labels {
  readonly add: Prepared<[label: string, id: string]>
  readonly remove: Prepared<[label: string, id: string]>
}

const labelsOf = (db: Database, table: string): Labels => ({
  add: prepare(db, `insert or ignore into ${table}_label (label, ${table}_id) values (?, ?)`),
  remove: prepare(db, `delete from ${table}_label where label = ? and ${table}_id = ?`),
})

/**
 * Statements of the label tables, with one row per label. Triggers maintain the labels of messages, which are removed
 * with pruned messages.
 */
export const labelStatements = (db: Database) => ({
  lobby: labelsOf(db, 'lobby'),
  match: labelsOf(db, 'match'),
})

export type LabelStatements = ReturnType<typeof labelStatements>
