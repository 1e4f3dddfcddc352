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
  /** Path of the file without symbolic links. */
  readonly file: string
  /** Returns SQLite's counter of writes by other connections. */
  dataVersion(): number
  /** Opens another connection to the same file, for reads only. */
  reader(): Database
  /**
   * Closes the connection and releases the lock. The service's other connections must be closed before, because the
   * last connection that can write copies the log into the file when it closes.
   */
  close(): void
}

/**
 * Milliseconds for which a call waits for a lock of another program (a backup tool, a shell). The event loop is blocked
 * meanwhile.
 */
const BUSY_TIMEOUT_MS = 250
/** Megabytes of the file's pages that the writing connection keeps in memory. */
const CACHE_MB = 64
const KIB_PER_MB = 1024
/**
 * Kibibytes of pages that the reading connection keeps in memory. The connection reads only while a group is being
 * synced, and its pages are stale after the next group.
 */
const READER_CACHE_KIB = 8 * 1024

/**
 * Whether the caller is the only service on the file. False for `:memory:`, which has no write-ahead log, and with
 * `beside`.
 */
export const isOwner = ({ path, beside }: SqliteStorageOptions): boolean => path !== ':memory:' && beside !== true

/** Locks the file (unless `beside` is set) and opens it. Throws StorageUnavailable if the file cannot be used. */
export function openConnection(options: SqliteStorageOptions): Connection {
  try {
    return openedOnce(options)
  } catch (error) {
    // The reserve file was removed, which gives room for one start on a full disk. A second failure is thrown.
    if (!isFullDisk(error) || !isOwner(options) || !giveUpReserve(fileOf(options.path))) throw error
    return openedOnce(options)
  }
}

/** Returns the path without symbolic links, because two paths of one file must lead to the same lock. */
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
      // With `normal`, a power cut may lose any part of the log, so a damaged log is no reason to refuse the file.
      else if (options.synchronous !== 'normal') requireWholeLog(file)
      requireOwnLog(file)
      makePrivately(file)
    }
    db = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS })
    // The check comes before the first write, because the file may belong to another program.
    schemaVersion(db, path)
    db.pragma('journal_mode = wal')
    // Until this opening has begun its log, SQLite syncs each transaction before the next one. After that, a thread
    // syncs each group; see `log-damage.ts`.
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
 * Marks the next log as begun before the owner's last connection closes and removes the log. An interrupted checkpoint
 * may have marked the log as ended, so the next log must be marked as begun. When the mark cannot be written, returns a
 * connection that only reads. It must be closed after the owner's connection, because closing a connection that only
 * reads does not remove the log.
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
    // SQLite keeps the log for a connection only after the connection's first read.
    marksOf(opened)
    return opened
  } catch {
    return undefined
  }
}
