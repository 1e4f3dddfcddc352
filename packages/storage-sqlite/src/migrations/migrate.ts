import { oldestCode, StorageUnavailable } from '@matchyard/core/ports'
import type { Database } from 'better-sqlite3'
import { MIGRATIONS, ORIGIN } from './index'

/** Application id `MYRD`; it distinguishes Matchyard's files from other programs' SQLite databases. */
const APPLICATION_ID = 0x4d595244

const pragma = (db: Database, name: string): number => Number(db.pragma(name, { simple: true }))

/**
 * Returns the number of migrations that a file has run. Throws StorageUnavailable for a file of another program, for a
 * file with another first schema, and for a schema that is too new.
 */
export function schemaVersion(db: Database, path: string): number {
  const version = pragma(db, 'user_version')
  const foreign = pragma(db, 'application_id') !== APPLICATION_ID
  if (foreign && (version !== 0 || db.prepare('select 1 from sqlite_schema').get() !== undefined)) {
    throw new StorageUnavailable(`${path} is the SQLite database of another program`)
  }
  if (version > 0 && originOf(db) !== ORIGIN) {
    throw new StorageUnavailable(
      `${path} was made by another version from before 0.1, and its data cannot be carried over: move it away and start with an empty folder, or run that version`,
    )
  }
  if (version > MIGRATIONS.length && oldestBorne(db) > MIGRATIONS.length) {
    throw new StorageUnavailable(
      `${path} has schema ${version}, too new for this version, which knows ${MIGRATIONS.length}: run a newer version of the service`,
    )
  }
  return version
}

/** Returns the hash of a file's first schema; undefined for a file that does not record the hash. */
function originOf(db: Database): string | undefined {
  const says = db.prepare("select 1 from pragma_table_info('schema_bears') where name = 'origin'").get() !== undefined
  return says ? db.prepare<[], string>('select origin from schema_bears').pluck().get() : undefined
}

/** Returns the version of the oldest code that can run on the file's schema, as a number of migrations. */
const oldestBorne = (db: Database): number =>
  db.prepare<[], number>('select oldest_code from schema_bears').pluck().get() ?? Number.POSITIVE_INFINITY

export function requireCurrentSchema(db: Database, path: string): void {
  const version = schemaVersion(db, path)
  if (version < MIGRATIONS.length) {
    throw new StorageUnavailable(`${path} has schema ${version} of ${MIGRATIONS.length}: migrate it first`)
  }
}

/** Runs the missing migrations in one transaction: the file has the whole new schema or stays unchanged. */
export function migrate(db: Database, path: string): void {
  const run = db.transaction(() => {
    const version = schemaVersion(db, path)
    if (version >= MIGRATIONS.length) return
    for (const { sql } of MIGRATIONS.slice(version)) db.exec(sql)
    db.exec('delete from schema_bears')
    db.prepare('insert into schema_bears values (?, ?)').run(oldestCode(MIGRATIONS), ORIGIN)
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${MIGRATIONS.length}`)
  })
  run.immediate()
}
