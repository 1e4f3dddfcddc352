import { StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { asUnavailable } from './failure'
import { SqliteDatabase } from './library'
import { makePrivately } from './make-privately'

/**
 * Connections of this process that hold locks. Without a reference, the garbage collector would close such a
 * connection, and its lock would be lost.
 */
const held = new Set<Database>()

/** Thrown when another process holds the lock of a file. */
export class FileInUse extends StorageUnavailable {
  /** Always `StorageUnavailable`: callers handle the error in the same way. */
  override readonly name = 'StorageUnavailable'
}

/** Milliseconds for which the COMMIT of the process id waits for other processes that are reading the lock file. */
const COMMIT_TIMEOUT_MS = 2_000

/**
 * Locks a database file, so that no second service runs on it. Throws FileInUse when another service holds the lock,
 * and StorageUnavailable when the lock file cannot be written.
 *
 * The lock file is itself a tiny SQLite database. The service holds the write lock of this database while it lives;
 * `user_version` is the service's process id. The operating system releases the lock when the process dies for any
 * reason, so no code has to guess from a process id whether a lock file is stale. (Process ids are reused, and mean
 * nothing in another container.) Two services that start at once cannot both get the lock.
 */
export function lockFile(path: string): { release(): void } {
  const lockPath = `${path}.lock`
  let lock: Database | undefined
  try {
    makePrivately(lockPath)
    lock = new SqliteDatabase(lockPath, { timeout: 0 })
    lock.pragma('journal_mode = memory')
    lock.pragma('synchronous = off')
    // The process id must be committed, so that other processes can read it. After that, the write lock is taken and
    // kept until `release`. When several services start at once, the last service to begin always gets the lock, if its
    // COMMIT waits for the services that only read a process id.
    lock.exec('begin immediate')
    lock.pragma(`user_version = ${process.pid}`)
    lock.pragma(`busy_timeout = ${COMMIT_TIMEOUT_MS}`)
    lock.exec('commit')
    lock.pragma('busy_timeout = 0')
    lock.exec('begin immediate')
  } catch (error) {
    const busy = error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')
    const holder = busy && lock !== undefined ? holderOf(lock) : ''
    lock?.close()
    if (!busy) throw asUnavailable(error, lockPath)
    throw new FileInUse(`${path} is in use by another service${holder}: only one may run on a SQLite file`)
  }
  const taken = lock
  held.add(taken)
  return {
    // The lock file is not removed. If another process opened the file at that moment, two processes would each hold a
    // lock.
    release() {
      held.delete(taken)
      taken.close()
    },
  }
}

function holderOf(lock: Database): string {
  try {
    return ` (process ${Number(lock.pragma('user_version', { simple: true }))}, lock file ${lock.name})`
  } catch {
    // The service that holds the lock is writing its process id at this moment.
    return ''
  }
}
