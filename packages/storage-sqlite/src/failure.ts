import { StorageUnavailable } from '@matchyard/core/ports'
import { SqliteDatabase } from './library'

const FULL = 'the disk is full'

/**
 * Messages for the operator, by SQLite's result codes. An extended code (`SQLITE_IOERR_WRITE`) begins with one of these
 * codes.
 */
const MEANINGS: readonly (readonly [code: string, meaning: string])[] = [
  ['SQLITE_FULL', FULL],
  ['SQLITE_BUSY', 'another program has locked the file'],
  ['SQLITE_LOCKED', 'another program has locked the file'],
  ['SQLITE_CORRUPT', 'the file is damaged: restore a backup'],
  ['SQLITE_NOTADB', 'the file is not a SQLite database'],
  ['SQLITE_READONLY', 'the file or its folder is read-only'],
  ['SQLITE_CANTOPEN', 'the file cannot be opened: its folder must exist and be writable'],
  ['SQLITE_PERM', 'access to the file is denied'],
  ['SQLITE_AUTH', 'access to the file is denied'],
  // This code means that the disk has no room for the `-shm` file, which SQLite's connections share.
  ['SQLITE_IOERR_SHMSIZE', FULL],
  ['SQLITE_IOERR', 'the disk fails'],
  ['SQLITE_PROTOCOL', 'the file cannot be locked'],
  ['SQLITE_NOLFS', 'the file system cannot hold a file of this size'],
  ['SQLITE_NOMEM', 'out of memory'],
  ['SQLITE_INTERRUPT', 'the call was interrupted'],
  ['SQLITE_SCHEMA', 'another program has changed the schema'],
]

const meaningOf = (code: string) => MEANINGS.find(([prefix]) => code.startsWith(prefix))?.[1]

/** Whether SQLite refused the operation. False for an error that is a bug in the code that uses SQLite. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof StorageUnavailable ||
  (error instanceof SqliteDatabase.SqliteError && meaningOf(error.code) !== undefined) ||
  isClosed(error)

// better-sqlite3 throws a TypeError when the folder is missing or the connection is closed.
const isClosed = (error: unknown): boolean =>
  error instanceof TypeError && /directory does not exist|connection is not open/.test(error.message)

/** Whether the error says that the disk has no room for a write. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof StorageUnavailable
    ? error.isFull
    : error instanceof SqliteDatabase.SqliteError && meaningOf(error.code) === FULL

/**
 * Returns a refusal of the database as StorageUnavailable with a message of one line. Returns any other error (a bug)
 * unchanged.
 */
export function asUnavailable(error: unknown, path: string): unknown {
  if (error instanceof StorageUnavailable || !isRefusal(error)) return error
  const code = error instanceof SqliteDatabase.SqliteError ? error.code : 'SQLITE_CANTOPEN'
  const meaning = meaningOf(code)
  return new StorageUnavailable(`SQLite file ${path}: ${meaning} (${code})`, { cause: error, isFull: meaning === FULL })
}
