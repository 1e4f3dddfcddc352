import { StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { asUnavailable } from './failure'
import { SqliteDatabase } from './library'
import { makePrivately } from './make-privately'

/** A connection that nothing refers to is closed by the garbage collector, and its lock would be gone with it. */
const held = new Set<Database>()

/** How long others may take to read a pid. */
const COMMIT_TIMEOUT_MS = 2_000

/**
 * Keeps a second service off the same file. The lock file is itself a tiny SQLite database whose write lock the service holds
 * while it lives, and whose `user_version` is the holder's pid. The operating system drops the lock when the process dies, however
 * it dies, so a stale file needs no guessing about pids (which are used again, and mean nothing in another container), and two
 * services that start at once cannot both get it.
 */
export function lockFile(path: string): { release(): void } {
  const lockPath = `${path}.lock`
  let lock: Database | undefined
  try {
    makePrivately(lockPath)
    lock = new SqliteDatabase(lockPath, { timeout: 0 })
    lock.pragma('journal_mode = memory')
    lock.pragma('synchronous = off')
    // The pid must be committed to be readable by others, and then the lock is taken for good. Of several that start at once
    // the last one to begin always gets there, provided that its COMMIT waits for those who just look for a pid.
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
    throw new StorageUnavailable(`${path} is in use by another service${holder}: only one may run on a SQLite file`)
  }
  const taken = lock
  held.add(taken)
  return {
    // The file stays: removing it while another process opens it would leave two processes with a lock each.
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
    // The holder is just writing its pid.
    return ''
  }
}
