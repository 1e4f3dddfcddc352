import { isPostgresUrl, sqlitePathOf } from '../config/database-url'

/** Returns a sentence about why the storage does not allow so many workers; undefined when it does. */
export function workersFault(workers: number, databaseUrl: string): string | undefined {
  if (workers === 1 || isPostgresUrl(databaseUrl)) return undefined
  const what = sqlitePathOf(databaseUrl) === undefined ? 'storage in memory' : 'a SQLite file'
  return `--workers needs PostgreSQL: ${what} has one process to itself; set DATABASE_URL to postgres://…, or leave --workers out`
}
