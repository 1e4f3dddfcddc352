import type { Database } from 'better-sqlite3'
import { prepare } from './prepare'

type Row = readonly [rowid: number, createdAt: number, bytes: number]

const ofPart = (column: string) =>
  `select rowid, created_at, bytes from idempotency where ${column} = ? order by created_at desc, bytes desc, rowid desc`

/** Statements of idempotency records by owner and by group, newest first. Each statement reads only an index. */
export const recordStatements = (db: Database) => ({
  ofOwner: prepare<[string], Row>(db, ofPart('owner_part')).raw(),
  ofGroup: prepare<[string], Row>(db, ofPart('group_part')).raw(),
  remove: prepare<[number]>(db, 'delete from idempotency where rowid = ?'),
})

export type RecordStatements = ReturnType<typeof recordStatements>
