import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { asUnavailable, isFullDisk } from './failure'
import { SqliteDatabase } from './library'
import { lockFile } from './lock'
import { requireWholeLog, requireWholeLogUnlessHeld } from './log/log-damage'
import { BEGIN_LOG, marksOf, requireOwnLog } from './log/log-marks'
import { makePrivately } from './make-privately'
import { schemaVersion } from './migrations/migrate'
import type { SqliteStorageOptions } from './options'
import { giveUpReserve } from './reserve'

export interface Connection {
  readonly db: Database
  /** The file's own name, behind links. */
  readonly file: string
  /** SQLite's own count of what other connections wrote. */
  dataVersion(): number
  /** Another connection to the same file that only reads. */
  reader(): Database
  /** After all others of the service's own: the last one that can write copies the log into the file. */
  close(): void
}

/** How long a call may wait for a lock of another program (a backup tool, a shell): the event loop stands still meanwhile. */
const BUSY_TIMEOUT_MS = 250
/** Megabytes of pages kept in memory. */
const CACHE_MB = 64
const KIB_PER_MB = 1024
/** Of the connection that reads while a group is on its way: what it keeps is worth nothing after the next group. */
const READER_CACHE_KIB = 8 * 1024

/** Whether one service has the file for itself: what is in memory has no log, and beside a service one is a guest. */
export const isOwner = ({ path, beside }: SqliteStorageOptions): boolean => path !== ':memory:' && beside !== true

/** Locks (unless `beside` its service) and opens the file and refuses what is not ours; throws StorageUnavailable. */
export function openConnection(options: SqliteStorageOptions): Connection {
  try {
    return openedOnce(options)
  } catch (error) {
    // For the first time that there is no room; the second time says so.
    if (!isFullDisk(error) || !isOwner(options) || !giveUpReserve(fileOf(options.path))) throw error
    return openedOnce(options)
  }
}

/** The file's own name: two names of one file must meet at one lock. */
const fileOf = (path: string): string =>
  path === ':memory:' ? path : existsSync(path) ? realpathSync(path) : resolve(path)

function openedOnce(options: SqliteStorageOptions): Connection {
  const { path } = options
  const owner = isOwner(options)
  const file = fileOf(path)
  const lock = owner ? lockFile(file) : undefined
  let db: Database | undefined
  try {
    if (path !== ':memory:') {
      if (!owner) requireWholeLogUnlessHeld(file)
      // Where nothing is synced a power cut may leave any part of a log, and no part of it was promised to anybody.
      else if (options.synchronous !== 'normal') requireWholeLog(file)
      requireOwnLog(file)
      makePrivately(file)
    }
    db = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS })
    // Before anything is written to it: the file may be another program's.
    schemaVersion(db, path)
    db.pragma('journal_mode = wal')
    // Until groups are synced, elsewhere, each transaction is synced before the next is begun: see `log-damage.ts`.
    db.pragma(`synchronous = ${options.synchronous ?? 'full'}`)
    db.pragma(`cache_size = -${(options.cacheMb ?? CACHE_MB) * KIB_PER_MB}`)
    db.pragma('wal_autocheckpoint = 0')
    db.pragma('temp_store = memory')
    const opened = db
    const reader = () => readerOf(file)
    const dataVersion = opened.prepare<[], number>('pragma data_version').pluck()
    return {
      db: opened,
      file,
      dataVersion: () => dataVersion.get() ?? 0,
      reader,
      close() {
        const keeper = owner ? beginLogOrKeepIt(opened, reader) : undefined
        opened.close()
        keeper?.close()
        lock?.release()
      },
    }
  } catch (error) {
    db?.close()
    lock?.release()
    throw asUnavailable(error, path)
  }
}

function readerOf(file: string): Database {
  const reader = new SqliteDatabase(file, { readonly: true, timeout: BUSY_TIMEOUT_MS })
  reader.pragma(`cache_size = -${READER_CACHE_KIB}`)
  reader.pragma('temp_store = memory')
  return reader
}

/**
 * Before the owner's last connection closes, which takes the log away: a checkpoint that broke off has ended it, and another must have
 * begun. Where that cannot be written, answers a connection to close after it: one that only reads leaves the log where it is.
 */
function beginLogOrKeepIt(db: Database, reader: () => Database): Database | undefined {
  try {
    if (marksOf(db) !== undefined) db.exec(BEGIN_LOG)
    return undefined
  } catch {
    return openedReader(reader)
  }
}

function openedReader(reader: () => Database): Database | undefined {
  try {
    const opened = reader()
    // It takes part in the log from its first read on.
    marksOf(opened)
    return opened
  } catch {
    return undefined
  }
}
