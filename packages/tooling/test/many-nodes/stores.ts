import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@matchyard/core/ports'
import { postgresStorage } from '@matchyard/storage-postgres'
import { startServer } from '@matchyard/storage-postgres/testing'
import { sqliteStorage } from '@matchyard/storage-sqlite'

/** Store of several nodes: a function that returns a node's storage, and one that ends the store. */
export interface Store {
  readonly handle: () => Storage
  readonly end: () => Promise<void>
}

/** Returns a store for nodes in one process: an SQLite file, which takes one handle. */
async function onSqlite(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-nodes-'))
  const storage = sqliteStorage({ path: join(folder, 'matchyard.db'), synchronous: 'normal' })
  const end = async () => {
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { handle: () => ({ ...storage, close: async () => {} }), end }
}

/** Returns a store in a PostgreSQL server of its own. */
async function onPostgres(): Promise<Store> {
  const database = await startServer(['max_connections=60'])
  return { handle: () => postgresStorage({ url: database.url }), end: () => database.stop() }
}

/** Stores that nodes can share, by name. */
export const STORES: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
]
