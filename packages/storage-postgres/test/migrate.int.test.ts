import { type Migration, StorageUnavailable } from '@matchyard/core/ports'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { connectionConfig, prepareSession } from '../src/connections/session'
import { migrate, migrationScript } from '../src/migrate'
import { MIGRATIONS } from '../src/migrations/index'
import { withDefaults } from '../src/options'
import { aLobby, putLobby } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')

/** Migrates the schema as a node of a later version does when it starts. */
async function asNewerCode(schema: string, migrations: readonly Migration[]): Promise<void> {
  const settings = withDefaults({ url, schema })
  const client = new Client(connectionConfig(settings))
  await client.connect()
  await prepareSession(client, settings)
  await migrate(client, settings, migrations).finally(() => client.end())
}

test('eight nodes that migrate at once do it once, and all of them work', async () => {
  const { door, handle } = aStore(url)
  const nodes = Array.from({ length: 8 }, () => handle({ poolSize: 2 }))
  await Promise.all(nodes.map((node) => node.migrate()))
  expect(await door.query('select version from schema_version')).toEqual([{ version: MIGRATIONS.length }])
  const results = await Promise.all(nodes.map((node) => node.commit(putLobby(aLobby()))))
  expect(results).toEqual(nodes.map(() => ({ ok: true })))
})

test('a script for an administrator makes the same schema', async () => {
  const { door, handle, schema } = aStore(url)
  for (const seen of [0, MIGRATIONS.length]) await door.query(migrationScript({ schema, seen }))
  const node = handle()
  await node.migrate()
  expect(await node.commit(putLobby(aLobby()))).toEqual({ ok: true })
  expect(await door.query('select version from schema_version')).toEqual([{ version: MIGRATIONS.length }])
})

test('a newer schema that does not bear this code is refused in one line, by migrate and by every call', async () => {
  const { door, handle, migrated, schema } = aStore(url)
  await migrated()
  await door.query('update schema_version set version = version + 1, oldest_code = version + 1')
  const older = handle()
  const known = MIGRATIONS.length
  const line = `PostgreSQL: schema ${schema} is at ${known + 1}, too new for this version, which knows ${known}: run a newer version of the service`
  await expect(older.migrate()).rejects.toEqual(new StorageUnavailable(line))
  await expect(older.get('lobby', 'lob_a')).rejects.toEqual(new StorageUnavailable(line))
  await door.query('update schema_version set version = version - 1')
  expect(await older.get('lobby', 'lob_a')).toBeUndefined()
})

test('a migration that bears this code is made under it, and it may start anew', async () => {
  const { door, handle, migrated, schema } = aStore(url)
  const running = await migrated()
  await running.commit(putLobby(aLobby()))
  const newer = [...MIGRATIONS, { sql: 'alter table lobby add column note text', bearsOlderCode: true }]
  await asNewerCode(schema, newer)
  const restarted = handle()
  await restarted.migrate()
  for (const node of [running, restarted]) expect(await node.commit(putLobby(aLobby()))).toEqual({ ok: true })
  expect(await door.query('select version from schema_version')).toEqual([{ version: newer.length }])
})

test('a migration that does not bear running nodes shuts them out: none of their calls reaches the new schema', async () => {
  const { door, migrated, schema } = aStore(url)
  const nodes = await Promise.all([migrated(), migrated()])
  const last: unknown[] = []
  let over = false
  const calls = nodes.map(async (node, index) => {
    while (!over) last[index] = await node.commit(putLobby(aLobby())).catch((error: unknown) => error)
  })
  // The column's default marks rows that old code inserts into the new schema.
  await asNewerCode(schema, [
    ...MIGRATIONS,
    { sql: 'alter table lobby add column is_old bool default true', bearsOlderCode: false },
    { sql: 'update lobby set is_old = false', bearsOlderCode: true },
  ]).finally(() => {
    over = true
  })
  await Promise.all(calls)
  expect(await door.query('select id from lobby where is_old')).toEqual([])
  expect(last).toEqual(nodes.map(() => expect.any(StorageUnavailable)))
  for (const node of nodes) await expect(node.ping()).rejects.toThrow('too new for this version')
})

test('a schema that was never migrated says so', async () => {
  const { handle } = aStore(url)
  await expect(handle().ping()).rejects.toThrow(/has 0 of \d+ migrations: migrate it first/)
})

test('the schema of another program is left alone', async () => {
  const { door, handle, schema } = aStore(url)
  await door.query(`create schema ${schema}`)
  await door.query('create table theirs (id int)')
  await expect(handle().migrate()).rejects.toThrow(`schema ${schema} holds the tables of another program`)
  const tables = await door.query('select tablename from pg_tables where schemaname = $1', [schema])
  expect(tables).toEqual([{ tablename: 'theirs' }])
})

test('a migration that fails leaves nothing behind', async () => {
  const { door, handle, schema } = aStore(url)
  await door.query(`create schema ${schema}`)
  // A view has the name of the last table that the migration creates, so the migration fails near its end.
  await door.query('create view store as select 1 as one')
  await expect(handle().migrate()).rejects.toThrow('store')
  expect(await door.query('select from pg_tables where schemaname = $1', [schema])).toEqual([])
  await door.query('drop view store')
  await handle().migrate()
})

test('a schema of another first migration is refused in one line, which says what to do', async () => {
  const { door, handle, migrated, schema } = aStore(url)
  await migrated()
  await door.query("update schema_version set origin = 'another'")
  const line = `PostgreSQL: schema ${schema} was made by another version from before 0.1, and its data cannot be carried over: start with an empty database, or run that version`
  await expect(handle().migrate()).rejects.toEqual(new StorageUnavailable(line))
  // Development versions did not store the hash of the first migration.
  await door.query('alter table schema_version drop column origin')
  await expect(handle().ping()).rejects.toEqual(new StorageUnavailable(line))
})
