import { StorageUnavailable } from '@matchyard/core/ports'
import { expect, inject, test } from 'vitest'
import { inspectPostgres } from '../src/index'
import { aLobby, change, putLobby } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')

test('a database is looked at before and after its first migration, and is left as it was', async () => {
  const { schema, door, migrated } = aStore(url)
  const before = await inspectPostgres({ url, schema })
  expect(before).toMatchObject({ schemaVersion: 0, newestInstant: 0 })
  expect(before.serverVersion).toMatch(/^\d+/)
  expect(before.maxConnections).toBeGreaterThan(0)
  expect(await door.query('select from pg_namespace where nspname = $1', [schema])).toEqual([])

  const storage = await migrated()
  await storage.commit({ ...change({ writes: putLobby(aLobby()).writes }), at: 5_000 })
  const after = await inspectPostgres({ url, schema })
  expect(after).toMatchObject({ schemaVersion: after.latestSchemaVersion, newestInstant: 5_000 })
})

test('the tables of another program, and a server that is not there, are told in one line', async () => {
  const { schema, door } = aStore(url)
  await door.query(`create schema ${schema}; create table ${schema}.theirs (id int)`)
  await expect(inspectPostgres({ url, schema })).rejects.toThrow(/holds the tables of another program$/)
  const nowhere = inspectPostgres({ url: 'postgres://postgres@127.0.0.1:1/nowhere' })
  await expect(nowhere).rejects.toBeInstanceOf(StorageUnavailable)
})
