import SqliteDatabase, { type Database } from 'better-sqlite3'
import { asUnavailable } from './failure'

/**
 * Copies a SQLite file while a service goes on using it (SQLite's online backup): the copy is the file as it was at one instant.
 * An existing target is overwritten. Throws StorageUnavailable.
 */
export async function backupSqlite(path: string, target: string): Promise<void> {
  let db: Database | undefined
  try {
    db = new SqliteDatabase(path, { fileMustExist: true })
    await db.backup(target)
  } catch (error) {
    throw asUnavailable(error, path)
  } finally {
    db?.close()
  }
}
