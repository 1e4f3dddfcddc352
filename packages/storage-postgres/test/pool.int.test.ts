import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Signal, StorageUnavailable } from '@matchyard/core/ports'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { type SideDoor, waitUntilBlockedBy } from '../src/testing/harness'
import { aLobby, putLobby } from './support/changes'
import { aProgram } from './support/program'
import { cut } from './support/store'

const url = inject('databaseUrl')

const STATE = `select current_setting('search_path') as path, current_setting('statement_timeout') as timeout,
  current_setting('enable_seqscan') as plans, current_setting('application_name') as name,
  (select count(*) from pg_prepared_statements) as statements, (select count(*) from pg_listening_channels()) as channels,
  (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory') as locks`

/** Runs a function on every connection that a pool can have. */
async function onAll<T>(pool: pg.Pool, body: (client: pg.PoolClient) => Promise<T>): Promise<T[]> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  try {
    return await Promise.all(clients.map(body))
  } finally {
    for (const client of clients) client.release()
  }
}

/** Resolves when a connection for signals is open. */
async function untilItListens(door: SideDoor, schema: string): Promise<void> {
  const listening = 'select from pg_stat_activity where application_name = $1'
  while ((await door.query(listening, [schema])).length === 0) await wait(5)
}

test('a program finds its connections as they were, with its tables beside those of the storage', async () => {
  const table = `studio_${randomUUID().replaceAll('-', '')}`
  // The program has parsers, an isolation and temporary tables that would disturb the storage.
  const { pool, migrated, schema } = aProgram(url, {
    application_name: 'studio',
    types: { getTypeParser: (() => () => 'parsed by the program') as never },
    onConnect: async (client) => {
      await client.query('set default_transaction_isolation to serializable; set search_path to public')
      await client.query('create temporary table lobby (id int); create temporary table schema_version (id int)')
    },
  })
  const asTheyAre = () => onAll(pool, async (client) => (await client.query({ text: STATE, types: pg.types })).rows)
  await pool.query(`create table ${table} (id text)`)
  onTestFinished(async () => void (await pool.query(`drop table ${table}`)))
  const before = await asTheyAre()
  const storage = await migrated()
  const lobby = aLobby()
  expect(await storage.commit(putLobby(lobby))).toEqual({ ok: true })
  expect(await storage.commit(putLobby({ ...lobby, version: 2 }))).toEqual({ ok: true })
  expect(await storage.commit(putLobby(lobby))).toMatchObject({ ok: false })
  expect(await storage.get('lobby', lobby.id)).toMatchObject({ version: 2 })
  await pool.query(`insert into ${table} select id from ${schema}.lobby`)
  await storage.close()
  expect(await pool.query(`select from ${table}`)).toMatchObject({ rowCount: 1 })
  expect(await asTheyAre()).toEqual(before)
})

test('two schemas on one pool do not see each other, and neither do their signals', async () => {
  const program = aProgram(url, { max: 12 })
  const other = `${program.schema}_two`
  onTestFinished(async () => void (await program.door.query(`drop schema if exists ${other} cascade`)))
  const [one, oneAgain] = [await program.migrated(), await program.migrated()]
  const [two, twoAgain] = [await program.migrated({ schema: other }), await program.migrated({ schema: other })]
  const lobbies = [aLobby(), aLobby()] as const
  const seen: string[] = []
  const bothSeen = new Promise<void>((resolve) => {
    const hears =
      (name: string) =>
      ({ topic, id }: Signal) => {
        if (topic !== 'lobby') return
        seen.push(`${name} ${id}`)
        if (new Set(seen.map((line) => line.split(' ')[0])).size === 2) resolve()
      }
    oneAgain.subscribe(hears('one'))
    twoAgain.subscribe(hears('two'))
  })
  await one.commit(putLobby(lobbies[0]))
  await two.commit(putLobby(lobbies[1]))
  await bothSeen
  expect(new Set(seen)).toEqual(new Set([`one ${lobbies[0].id}`, `two ${lobbies[1].id}`]))
  expect(await two.get('lobby', lobbies[0].id)).toBeUndefined()
  expect(await one.get('lobby', lobbies[1].id)).toBeUndefined()
})

test('a connection for signals that is lost is replaced by another one of the pool', async () => {
  const { door, schema, pool, migrated } = aProgram(url)
  const storage = await migrated()
  await cut(door)
  await untilItListens(door, schema)
  expect(await storage.commit(putLobby(aLobby()))).toEqual({ ok: true })
  expect(pool.totalCount).toBeLessThanOrEqual(4)
})

test('while the program has all connections, a call is refused after its time, and few requests wait in the pool', async () => {
  const { door, schema, pool, handle, migrated } = aProgram(url)
  await migrated()
  await untilItListens(door, schema)
  // Only the calls below have so little time: the start and its connection for signals need more under load.
  const storage = handle({ connectTimeoutMs: 50 })
  const held = await Promise.all([1, 2, 3].map(() => pool.connect()))
  const calls = await Promise.allSettled(Array.from({ length: 50 }, () => storage.events.range('lob_a')))
  for (const call of calls) {
    expect(call).toMatchObject({ reason: { message: expect.stringContaining('had no free connection for 50 ms') } })
  }
  expect(pool.waitingCount).toBe(3)
  for (const client of held) client.release()
  expect(await storage.get('lobby', 'lob_a')).toBeUndefined()
  expect(pool.waitingCount).toBe(0)
})

test('closing gives up a call that waits in the database, and leaves the pool to the program', async () => {
  const { door, pool, migrated } = aProgram(url)
  const storage = await migrated({ closeTimeoutMs: 50 })
  const lobby = aLobby()
  await storage.commit(putLobby(lobby))
  const holder = await door.connect()
  await holder.query('begin; select from lobby for update')
  const outcome = storage.commit(putLobby({ ...lobby, version: 2 })).catch((error: unknown) => error)
  await waitUntilBlockedBy(door, holder)
  await storage.close()
  expect(await outcome).toBeInstanceOf(StorageUnavailable)
  await holder.end()
  expect(await onAll(pool, async (client) => (await client.query('select 1 as one')).rows)).toEqual(
    Array(4).fill([{ one: 1 }]),
  )
})

test('a pool that the program has ended is refused with the order of the two ends', async () => {
  const { door, pool, migrated } = aProgram(url)
  const storage = await migrated()
  const ended = pool.end()
  await expect(storage.ping()).rejects.toThrow('call matchyard.stop() before the pool')
  await storage.close()
  await ended
  await door.query('select')
})

test('a schema that is too new is refused on connections that stood through the migration', async () => {
  const { door, migrated } = aProgram(url)
  const storage = await migrated()
  await storage.commit(putLobby(aLobby()))
  await door.query('update schema_version set version = 1000, oldest_code = 1000')
  await expect(storage.commit(putLobby(aLobby()))).rejects.toThrow(/too new for this version/)
})

test('a pool that sends statements without waiting is used so', async () => {
  const { migrated } = aProgram(url, { pipeline: true })
  const storage = await migrated()
  const lobby = aLobby()
  expect(await storage.commit(putLobby(lobby))).toEqual({ ok: true })
  expect(await storage.get('lobby', lobby.id)).toEqual(lobby)
})
