import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@matchyard/core/ports'
import { postgresStorage } from '@matchyard/storage-postgres'
import { startServer } from '@matchyard/storage-postgres/testing'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds, seeded } from '../../../src/rounds'
import { Arena } from './arena'
import { RACES } from './list'

/** Store of three nodes: a function that returns a node's storage, and one that ends the store. */
interface Store {
  readonly handle: () => Storage
  readonly end: () => Promise<void>
}

/** Three nodes in one process on one SQLite file, which takes one handle. */
async function onSqlite(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-races-'))
  const storage = sqliteStorage({ path: join(folder, 'matchyard.db'), synchronous: 'normal' })
  const end = async () => {
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { handle: () => ({ ...storage, close: async () => {} }), end }
}

async function onPostgres(): Promise<Store> {
  const database = await startServer(['max_connections=60'])
  return { handle: () => postgresStorage({ url: database.url }), end: () => database.stop() }
}

describe.each([
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
])('one outcome of each race on three nodes on %s', (name, open) => {
  let store: Store
  let arena: Arena
  beforeAll(async () => {
    store = await open()
    arena = await Arena.open(store.handle)
  }, 120_000)
  afterAll(async () => {
    await arena?.close()
    await store?.end()
  })

  it.each(RACES)('%s: one outcome, seen by all nodes', { timeout: 1_800_000 }, async (what, race) => {
    const { seed, next: random } = seeded()
    const tally = await race(arena, { rounds: rounds(1_000), random })
    console.log(`${name}, seed ${seed}, ${what}: ${JSON.stringify(tally)}`)
    expect(Object.values(tally).filter((count) => count > 0).length, `seed ${seed}`).toBeGreaterThan(1)
  })
})
