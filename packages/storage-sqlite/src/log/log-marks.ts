import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { asUnavailable } from '../failure'
import { SqliteDatabase } from '../library'
import { lockFile } from '../lock'
import { schemaVersion } from '../migrations/migrate'
import { dropNote } from './synced-note'

/**
 * The logs of a file are numbered. The last commit of log n says that it has ended, and only then is the log copied into the
 * file; the first commit of the next one says that n + 1 has begun. So the file alone, which is as the last copy left it, has an
 * ended log and none begun after it: there is, or was, a log with what came since. Together with its log it has one begun, and so
 * has the file after a clean close, and every copy that SQLite makes of what the two hold.
 */
const MARKS = 'select (select number from log_ended) as ended, (select number from log_begun) as begun'
export const END_LOG = 'update log_ended set number = (select number from log_begun)'
/** Does nothing where one has begun. */
export const BEGIN_LOG = `
update log_begun set number = (select number from log_ended) + 1 where number = (select number from log_ended)`

interface Marks {
  readonly ended: number
  readonly begun: number
}

export interface LogFrames {
  readonly busy: number
  /** Pages in the log, and how many of them the file has. */
  readonly log: number
  readonly checkpointed: number
}

/** Asks for a checkpoint, or, with `noop`, only how things are. */
export const checkpoint = (db: Database, mode: 'noop' | 'passive' | 'restart'): LogFrames =>
  (db.pragma(`wal_checkpoint(${mode})`) as [LogFrames])[0]

/** Refuses a file whose log is gone, or that lies beside another one's log; changes neither. Throws StorageUnavailable. */
export function requireOwnLog(file: string): void {
  if (!existsSync(file) || !statSync(file).isFile()) return
  // Read-only, for the last connection that could write would, as it closes, copy another file's log into this one.
  const db = new SqliteDatabase(file, { readonly: true })
  try {
    const fault = logFault(db, file)
    if (fault !== undefined) throw new StorageUnavailable(fault)
  } finally {
    db.close()
  }
}

/** What is wrong with the log of an open file, in a sentence; undefined when nothing is. */
export function logFault(db: Database, file: string): string | undefined {
  const marks = marksOf(db)
  if (marks === undefined) return undefined
  const { ended, begun } = marks
  const { log } = checkpoint(db, 'noop')
  if (begun === ended + 1) return undefined
  if (begun !== ended) {
    return `${file}-wal is not the write-ahead log of ${file}: put back the log that was beside it, or move this one away`
  }
  // A log that ends itself, or one that was just being begun when the process ended: nothing is missing.
  if (log > 0 || hasLogHeader(`${file}-wal`)) return undefined
  // What another program leaves that opened the file after a kill in a checkpoint, and closed it, is the same to the byte.
  return `the write-ahead log ${file}-wal is missing, and with it the newest commits of ${file}: put it back beside the file, restore a backup, or go on without them with \`matchyard migrate --accept-lost-log\`; if another program has opened the file since the service was killed, it may have copied the log into it, and nothing is missing: before you restore an older backup, accept the loss on a copy of the file, and see by \`matchyard clock\` how new its newest record is`
}

/** Goes on without the log that a file has lost, or without what is damaged in it, for good. Throws StorageUnavailable where a service runs on it. */
export function acceptLostLog(path: string): void {
  const lock = lockFile(path)
  let db: Database | undefined
  try {
    db = new SqliteDatabase(path, { fileMustExist: true })
    schemaVersion(db, path)
    if (marksOf(db) !== undefined) db.exec(BEGIN_LOG)
    dropNote(path)
  } catch (error) {
    throw asUnavailable(error, path)
  } finally {
    db?.close()
    lock.release()
  }
}

/**
 * For a connection beside a service: where none runs it copies the log as it closes, and then another must have begun. A
 * service that runs sees to that by itself.
 */
export function beginLogUnlessHeld(db: Database, file: string): void {
  let lock: ReturnType<typeof lockFile>
  try {
    lock = lockFile(file)
  } catch (error) {
    if (error instanceof StorageUnavailable) return
    throw error
  }
  try {
    db.exec(BEGIN_LOG)
  } finally {
    lock.release()
  }
}

/**
 * Brings the file up to its log and begins another, so that from here on the file says that a log belongs to it. `all`: also
 * when another program is reading, refuse to go on before all of the log is in the file.
 */
export function beginFirstLog(db: Database, file: string, all: boolean): void {
  db.exec(END_LOG)
  const { log, checkpointed } = checkpoint(db, 'restart')
  // Both are -1 where another program is copying the log just now.
  if (all && (log < 0 || checkpointed < log)) {
    throw new StorageUnavailable(`SQLite file ${file}: another program is reading it`)
  }
  db.exec(BEGIN_LOG)
}

/** undefined for a file from before there were marks. */
export function marksOf(db: Database): Marks | undefined {
  const known = db.prepare(`select 1 from sqlite_schema where name = 'log_begun'`).get() !== undefined
  return known ? db.prepare<[], Marks>(MARKS).get() : undefined
}

const LOG_MAGIC = 0x377f0682

function hasLogHeader(log: string): boolean {
  if (!existsSync(log)) return false
  const header = Buffer.alloc(32)
  const file = openSync(log, 'r')
  try {
    // The lowest bit of the magic number is the byte order of the checksums.
    return readSync(file, header) === header.length && (header.readUInt32BE(0) & ~1) === LOG_MAGIC
  } finally {
    closeSync(file)
  }
}
