import { resolve } from 'node:path'
import type { PostgresInspection } from '@matchyard/storage-postgres'
import { inspectSqlite, type SqliteInspection } from '@matchyard/storage-sqlite'
import { sqlitePathOf } from '../config/database-url'

export type InspectedDatabase =
  | { readonly kind: 'file'; readonly seen: SqliteInspection }
  | { readonly kind: 'server'; readonly seen: PostgresInspection }

/**
 * Inspects the database of a URL without changing it, while a service may use it. Returns undefined for a file that
 * does not exist yet.
 */
export async function inspectDatabase(url: string): Promise<InspectedDatabase | undefined> {
  const path = sqlitePathOf(url)
  if (path !== undefined) {
    const seen = inspectSqlite(resolve(path))
    return seen && { kind: 'file', seen }
  }
  // Loaded only here, so that other commands start faster.
  const { inspectPostgres } = await import('@matchyard/storage-postgres')
  return { kind: 'server', seen: await inspectPostgres({ url }) }
}

/** Returns the time of a PostgreSQL server's clock. */
export async function databaseNow(url: string): Promise<number> {
  const { inspectPostgres } = await import('@matchyard/storage-postgres')
  return (await inspectPostgres({ url })).now
}
