import { StorageUnavailable } from '@matchyard/core/ports'
import { SqliteDatabase } from './library'

const FULL = 'the disk is full'

/** What SQLite's result codes mean to whoever runs the service; extended codes (`SQLITE_IOERR_WRITE`) begin with these. */
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
  // Beside the file SQLite wants a few pages for what its connections share.
  ['SQLITE_IOERR_SHMSIZE', FULL],
  ['SQLITE_IOERR', 'the disk fails'],
  ['SQLITE_PROTOCOL', 'the file cannot be locked'],
  ['SQLITE_NOLFS', 'the file system cannot hold a file of this size'],
  ['SQLITE_NOMEM', 'out of memory'],
  ['SQLITE_INTERRUPT', 'the call was interrupted'],
  ['SQLITE_SCHEMA', 'another program has changed the schema'],
]

const meaningOf = (code: string) => MEANINGS.find(([prefix]) => code.startsWith(prefix))?.[1]

/** Whether the database refuses to work, rather than the code that uses it being wrong. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof StorageUnavailable ||
  (error instanceof SqliteDatabase.SqliteError && meaningOf(error.code) !== undefined) ||
  isClosed(error)

// better-sqlite3 answers these two with a TypeError.
const isClosed = (error: unknown): boolean =>
  error instanceof TypeError && /directory does not exist|connection is not open/.test(error.message)

/** Of a write that is not even tried. */
export const fullDisk = (path: string): StorageUnavailable =>
  new StorageUnavailable(`SQLite file ${path}: ${FULL}`, { isFull: true })

/** Whether the disk has no room for what was to be written. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof StorageUnavailable
    ? error.isFull
    : error instanceof SqliteDatabase.SqliteError && meaningOf(error.code) === FULL

/** A refusal as the one line that the port promises; anything else (a bug) as it is. */
export function asUnavailable(error: unknown, path: string): unknown {
  if (error instanceof StorageUnavailable || !isRefusal(error)) return error
  const code = error instanceof SqliteDatabase.SqliteError ? error.code : 'SQLITE_CANTOPEN'
  const meaning = meaningOf(code)
  return new StorageUnavailable(`SQLite file ${path}: ${meaning} (${code})`, { cause: error, isFull: meaning === FULL })
}
