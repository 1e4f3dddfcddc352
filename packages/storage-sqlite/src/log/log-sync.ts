import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { NOTE_DIGITS, noteOf } from './synced-note'
import { Thread } from './thread'

/** Makes the pages of the write-ahead log durable. */
export interface LogSync {
  /**
   * Resolves when all data that the log contained at the time of the call is on the disk; rejects when this is
   * uncertain. `frames`, the number of pages in the log, is written to the note beside the file after the sync.
   */
  sync(frames?: number): Promise<void>
  stop(): Promise<void>
}

/**
 * Source text of a thread that only syncs the write-ahead log (makes its data durable). In Node's shared thread pool, a
 * commit would wait behind the hashing of passwords and the files of uploads. SQLite takes no lock on the log, so
 * closing the log here releases no lock of SQLite. The database file and `-shm` must never be opened by this process
 * outside SQLite: closing them would release SQLite's locks.
 */
const SETUP = `({ log: path, note: notePath }) => {
  const fs = require('node:fs')
  const log = fs.openSync(path, 'r+')
  const salts = Buffer.alloc(8)
  let note
  const openNote = () => {
    try {
      return fs.openSync(notePath, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600)
    } catch {
      return undefined
    }
  }
  // A note that cannot be written must not fail the sync.
  const write = (frames) => {
    note ??= openNote()
    if (note === undefined) return
    try {
      fs.readSync(log, salts, 0, 8, 16)
      fs.writeSync(note, salts.toString('hex') + ' ' + frames.padStart(${NOTE_DIGITS}, '0') + '\\n', 0, 'latin1')
    } catch {}
  }
  const work = (frames) => {
    try {
      fs.fdatasyncSync(log)
    } catch (error) {
      throw Object.assign(error, { code: 'SQLITE_IOERR_FSYNC' })
    }
    if (frames !== '') write(frames)
  }
  const close = () => {
    fs.closeSync(log)
    if (note !== undefined) fs.closeSync(note)
  }
  return { work, close }
}`

export function openLogSync(file: string): LogSync {
  const thread = new Thread(SETUP, { log: `${file}-wal`, note: noteOf(file) })
  return {
    sync: (frames) => thread.ask<void>(frames === undefined ? '' : String(frames)),
    stop: () => thread.stop(),
  }
}

/** Syncs the log of a file and blocks until the data is on the disk. For callers that have no thread for syncs. */
export function syncNow(file: string): void {
  const log = openSync(`${file}-wal`, 'r+')
  try {
    fdatasyncSync(log)
  } finally {
    closeSync(log)
  }
}
