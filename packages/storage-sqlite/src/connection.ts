import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import { asUnavailable } from './failure'
import { lockFile } from './lock'
import { schemaVersion } from './migrate'

export interface Connection {
  readonly db: Database
  close(): void
}

/** How long a call may wait for a lock of another program (a backup tool, a shell): the event loop stands still meanwhile. */
const BUSY_TIMEOUT_MS = 250
/** Pages of the log after which it is copied into the file: the pages that every commit touches are then copied once for many. */
const CHECKPOINT_PAGES = 4_000
/** KiB of pages kept in memory. */
const CACHE_KIB = 64 * 1024

/** Locks (unless `beside` its service) and opens the file and refuses what is not ours; throws StorageUnavailable. */
export function openConnection(path: string, synchronous: 'full' | 'normal', beside = false): Connection {
  const inMemory = path === ':memory:'
  // Two names of one file must meet at one lock.
  const file = inMemory ? path : existsSync(path) ? realpathSync(path) : resolve(path)
  const lock = inMemory || beside ? undefined : lockFile(file)
  let db: Database | undefined
  try {
    db = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS })
    // Before anything is written to it: the file may be another program's.
    schemaVersion(db, path)
    db.pragma('journal_mode = wal')
    db.pragma(`synchronous = ${synchronous}`)
    db.pragma(`cache_size = -${CACHE_KIB}`)
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    db.pragma('temp_store = memory')
    const opened = db
    return {
      db: opened,
      close() {
        opened.close()
        lock?.release()
      },
    }
  } catch (error) {
    db?.close()
    lock?.release()
    throw asUnavailable(error, path)
  }
}
