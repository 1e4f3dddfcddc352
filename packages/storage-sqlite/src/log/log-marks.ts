import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { asUnavailable } from '../failure'
import { SqliteDatabase } from '../library'
import { lockFile } from '../lock'
import { schemaVersion } from '../migrations/migrate'
import { dropNote } from './synced-note'

/**
 * Query for the two marks in a database file: the number of the last log that ended, and the number of the last log
 * that began. The logs of a file are numbered. The last commit of log n marks log n as ended; only then is the log
 * copied into the file. The first commit of the next log marks log n + 1 as begun.
 *
 * A file without its log is as the last copy left it: log n has ended and no later log has begun. This shows that a log
 * with newer commits exists, or existed. A file together with its log shows that a log has begun. The same is true of a
 * file after a clean close, and of every copy that SQLite makes of a file and its log.
 */
const MARKS = 'select (select number from log_ended) as ended, (select number from log_begun) as begun'
export const END_LOG = 'update log_ended set number = (select number from log_begun)'
/** Marks the next log as begun. Does nothing if it has begun already. */
export const BEGIN_LOG = `
update log_begun set number = (select number from log_ended) + 1 where number = (select number from log_ended)`

interface Marks {
  readonly ended: number
  readonly begun: number
}

export interface LogFrames {
  readonly busy: number
  /**
   * Numbers that SQLite's checkpoint reports: `log` pages in the log, of which `checkpointed` are copied into the file.
   */
  readonly log: number
  readonly checkpointed: number
}

/** Runs a checkpoint and returns its numbers. The mode `noop` copies nothing and only reads the numbers. */
export const checkpoint = (db: Database, mode: 'noop' | 'passive' | 'restart'): LogFrames =>
  (db.pragma(`wal_checkpoint(${mode})`) as [LogFrames])[0]

/**
 * Throws StorageUnavailable for a file whose log is missing, and for a file that has the log of another file beside it.
 * Changes neither the file nor the log.
 */
export function requireOwnLog(file: string): void {
  if (!existsSync(file) || !statSync(file).isFile()) return
  // The connection is read-only. When the last connection that can write closes, it copies the log into the file, and
  // this log may belong to another file.
  const db = new SqliteDatabase(file, { readonly: true })
  try {
    const fault = logFault(db, file)
    if (fault !== undefined) throw new StorageUnavailable(fault)
  } finally {
    db.close()
  }
}

/** Returns a sentence about the fault in an open file's log; undefined when the log has no fault. */
export function logFault(db: Database, file: string): string | undefined {
  const marks = marksOf(db)
  if (marks === undefined) return undefined
  const { ended, begun } = marks
  const { log } = checkpoint(db, 'noop')
  if (begun === ended + 1) return undefined
  if (begun !== ended) {
    return `${file}-wal is not the write-ahead log of ${file}: put back the log that was beside it, or move this one away`
  }
  // No commit is missing: either the log contains its own end mark, or the process ended while it began the next log.
  if (log > 0 || hasLogHeader(`${file}-wal`)) return undefined
  // The message names two possible causes, because both leave the same bytes: a lost log, and a process that was killed
  // during a checkpoint, after which a program opened and closed the file.
  return `the write-ahead log ${file}-wal is missing, and with it the newest commits of ${file}: put it back beside the file, restore a backup, or go on without them with \`matchyard migrate --accept-lost-log\`; if another program has opened the file since the service was killed, it may have copied the log into it, and nothing is missing: before you restore an older backup, accept the loss on a copy of the file, and see by \`matchyard clock\` how new its newest record is`
}

/**
 * Accepts permanently that a file's log, or the damaged part of a log, is lost. Throws StorageUnavailable while a
 * service runs on the file.
 */
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
 * Marks the next log as begun, unless a service holds the lock. Called for a connection that works while a service may
 * run. If no service runs, this connection copies the log into the file when it closes, and the next log must then be
 * marked as begun. A running service writes the mark itself.
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
 * Copies the log into the file and marks the next log as begun. From then on, the file records that a log belongs to
 * it. With `all`, throws StorageUnavailable when another program is reading the file, so that a part of the log cannot
 * be copied.
 */
export function beginFirstLog(db: Database, file: string, all: boolean): void {
  db.exec(END_LOG)
  const { log, checkpointed } = checkpoint(db, 'restart')
  // Both numbers are -1 while another program makes a checkpoint.
  if (all && (log < 0 || checkpointed < log)) {
    throw new StorageUnavailable(`SQLite file ${file}: another program is reading it`)
  }
  db.exec(BEGIN_LOG)
}

/** Returns the marks of a file; undefined if the file lacks the tables of the marks. */
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
