import { storageConformance } from '@matchyard/testkit/storage'
import { skipWithout } from '@matchyard/tooling/needs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { postgresStorage } from '../src/postgres-storage'
import { postgresHarness, SideDoor } from '../src/testing/harness'
import { type Pooler, poolerIsHere, startPooler } from '../src/testing/pooler'
import { startServer, type TestServer } from '../src/testing/server'
import { aLobby, putLobby } from './support/changes'

/**
 * Number of parts into which the test cases are divided. A run tests one part, by default another part each time. `npm
 * run prove -- pooler` tests all.
 */
const PARTS = process.env.MATCHYARD_PROVE === undefined ? 4 : 1
const part = Number(process.env.MATCHYARD_SEED ?? Date.now()) % PARTS
const isHere = poolerIsHere()

describe('through PgBouncer in transaction mode', () => {
  if (PARTS > 1 && isHere) console.log(`part ${part} of ${PARTS}; again with MATCHYARD_SEED=${part}`)
  let server: TestServer
  let pooler: Pooler
  beforeAll(async () => {
    if (!isHere) return
    server = await startServer()
    pooler = await startPooler(server.url, { mode: 'transaction' })
  })
  afterAll(async () => {
    await pooler?.stop()
    await server?.stop()
  })
  beforeEach((context) => {
    if (!isHere) skipWithout(context, 'PgBouncer', 'it is not on the path')
  })

  describe('the storage keeps its promises', () => {
    for (const item of storageConformance().filter((_, index) => index % PARTS === part))
      test(item.name, () => item.run(postgresHarness(server.url, { poolerUrl: pooler.url })))
  })

  test('without an address for signals it says what is to be done', async () => {
    const storage = postgresStorage({ url: pooler.url })
    await expect(storage.migrate()).rejects.toThrow(/pooler in front of it.*DATABASE_LISTEN_URL/)
    await storage.close()
  })

  test('a commit on a schema that is too new is refused, on a connection that stood through the migration', async () => {
    const schema = 'left_behind'
    const storage = postgresStorage({ url: pooler.url, listenUrl: server.url, schema, poolSize: 2 })
    await storage.migrate()
    expect(await storage.commit(putLobby(aLobby()))).toEqual({ ok: true })
    const door = new SideDoor(server.url, schema)
    await door.query('update schema_version set version = 1000, oldest_code = 1000')
    await door.end()
    await expect(storage.commit(putLobby(aLobby()))).rejects.toThrow(/too new for this version/)
    await expect(storage.newestInstant()).rejects.toThrow(/too new for this version/)
    await storage.close()
  })
})
