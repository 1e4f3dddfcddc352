import { Thread } from './thread'

/** Makes durable what was written to the write-ahead log. */
export interface LogSync {
  /** Resolves when all that the log held as it was called is on the disk; rejects when that cannot be said. */
  sync(): Promise<void>
  stop(): Promise<void>
}

/**
 * A thread that does nothing but sync: in the pool that Node shares out, a commit would wait behind the hashing of passwords and
 * the files of uploads. SQLite takes no lock on the log itself, so that closing this file frees none of its locks; of the
 * database and of `-shm` this process must never open a file beside SQLite.
 */
const SETUP = `(file) => {
  const fs = require('node:fs')
  const log = fs.openSync(file, 'r+')
  const work = () => {
    try {
      fs.fdatasyncSync(log)
    } catch (error) {
      throw Object.assign(error, { code: 'SQLITE_IOERR_FSYNC' })
    }
  }
  return { work, close: () => fs.closeSync(log) }
}`

export function openLogSync(log: string): LogSync {
  const thread = new Thread(SETUP, log)
  return { sync: () => thread.ask<void>('sync'), stop: () => thread.stop() }
}
