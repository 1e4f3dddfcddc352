import { existsSync, realpathSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { asUnavailable } from '../failure'
import { SqliteDatabase } from '../library'
import { requireWholeLogUnlessHeld } from '../log/log-damage'
import { BEGIN_LOG, marksOf } from '../log/log-marks'
import { makePrivately } from '../make-privately'

/**
 * Number of pages that one step of a copy takes: all pages. A copy in several steps starts again after each write of
 * another connection, and would never end under load.
 */
const EVERYTHING = 0x7fffffff

/**
 * Copies a SQLite file while a service uses it (SQLite's online backup). The copy has the state of one instant. An
 * existing database at the target is overwritten. The copy blocks the event loop, so a service with a large file calls
 * it in another process. Throws StorageUnavailable.
 */
export async function backupSqlite(path: string, target: string): Promise<void> {
  let db: Database | undefined
  try {
    if (existsSync(path)) requireWholeLogUnlessHeld(realpathSync(path))
    // The connection is read-only, so that closing it does not copy a killed service's log into the file.
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

/** Makes the copy usable without a log file, even if the log of the source was being copied into its file meanwhile. */
function standAlone(target: string): void {
  const copy = new SqliteDatabase(target)
  try {
    if (marksOf(copy) !== undefined) copy.exec(BEGIN_LOG)
  } finally {
    copy.close()
  }
}
