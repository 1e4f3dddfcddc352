import { existsSync, realpathSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { asUnavailable } from '../failure'
import { SqliteDatabase } from '../library'
import { requireWholeLogUnlessHeld } from '../log/log-damage'
import { BEGIN_LOG, marksOf } from '../log/log-marks'
import { makePrivately } from '../make-privately'

/** Pages of one step. A copy in several steps starts anew whenever somebody writes between them, and never ends under load. */
const EVERYTHING = 0x7fffffff

/**
 * Copies a SQLite file while a service goes on using it (SQLite's online backup): the copy is the file as it was at one instant.
 * An existing database at the target is overwritten. It stops the event loop while it copies, so a service with a large file calls it
 * in a process of its own. Throws StorageUnavailable.
 */
export async function backupSqlite(path: string, target: string): Promise<void> {
  let db: Database | undefined
  try {
    if (existsSync(path)) requireWholeLogUnlessHeld(realpathSync(path))
    // Read-only, so that closing it does not copy a log that a killed service has left.
    db = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
    makePrivately(target)
    await db.backup(target, { progress: () => EVERYTHING })
    standAlone(target)
  } catch (error) {
    throw asUnavailable(error, path)
  } finally {
    db?.close()
  }
}

/** A copy is whole by itself, also one of a file whose log was just being copied into it. */
function standAlone(target: string): void {
  const copy = new SqliteDatabase(target)
  try {
    if (marksOf(copy) !== undefined) copy.exec(BEGIN_LOG)
  } finally {
    copy.close()
  }
}
