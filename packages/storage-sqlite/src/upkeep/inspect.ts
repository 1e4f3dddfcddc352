import { existsSync, realpathSync } from 'node:fs'
import { StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { asUnavailable } from '../failure'
import { SqliteDatabase } from '../library'
import { lockFile } from '../lock'
import { requireWholeLogUnlessHeld } from '../log/log-damage'
import { logFault } from '../log/log-marks'
import { MIGRATIONS } from '../migrations/index'
import { schemaVersion } from '../migrations/migrate'
import { NEWEST_INSTANT } from '../statements/commits'

/** Facts about a database file. */
export interface SqliteInspection {
  /** Number of migrations that the file has run. */
  readonly schemaVersion: number
  /** Number of migrations that this version of the service has. */
  readonly latestSchemaVersion: number
  /** Faults that SQLite's check of pages and indexes found; empty for an undamaged file. */
  readonly damage: readonly string[]
  /** Newest instant of a commit, in epoch milliseconds; 0 for an empty or older file. */
  readonly newestInstant: number
  /** Sentence about the service that holds the lock of the file; undefined when no service runs on the file. */
  readonly holder: string | undefined
}

/** Maximum number of faults that are reported for one file. */
const MAX_DAMAGE = 10

/**
 * Inspects a SQLite file without changing it, also while a service runs on it. Returns undefined when there is no such
 * file. Throws StorageUnavailable for a file that cannot be read or belongs to another program.
 */
export function inspectSqlite(path: string): SqliteInspection | undefined {
  if (!existsSync(path)) return undefined
  let db: Database | undefined
  try {
    requireWholeLogUnlessHeld(realpathSync(path))
    db = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
    const version = schemaVersion(db, path)
    const fault = logFault(db, realpathSync(path))
    if (fault !== undefined) throw new StorageUnavailable(fault)
    return {
      schemaVersion: version,
      latestSchemaVersion: MIGRATIONS.length,
      damage: damageOf(db),
      newestInstant: version >= MIGRATIONS.length ? newestInstantOf(db) : 0,
      holder: holderOf(path),
    }
  } catch (error) {
    throw asUnavailable(error, path)
  } finally {
    db?.close()
  }
}

function damageOf(db: Database): string[] {
  const rows = db.prepare<[], string>(`pragma quick_check(${MAX_DAMAGE})`).pluck().all()
  return rows.length === 1 && rows[0] === 'ok' ? [] : rows
}

const newestInstantOf = (db: Database): number => db.prepare<[], number>(NEWEST_INSTANT).pluck().get() ?? 0

function holderOf(path: string): string | undefined {
  if (!existsSync(`${path}.lock`)) return undefined
  try {
    lockFile(path).release()
    return undefined
  } catch (error) {
    if (error instanceof StorageUnavailable) return error.message
    throw error
  }
}
