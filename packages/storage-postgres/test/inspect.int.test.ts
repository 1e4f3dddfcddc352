import type { Build } from '@matchyard/core'
import { MACHINES, StorageUnavailable } from '@matchyard/core/ports'
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
  await storage.presence.touch([{ scope: MACHINES, member: 'a report', at: 4_000 }])
  const after = await inspectPostgres({ url, schema })
  expect(after).toMatchObject({ schemaVersion: after.latestSchemaVersion, newestInstant: 5_000 })
  expect(after.newestArchive).toBeUndefined()
  expect([before.machines, after.machines]).toEqual([[], [{ report: 'a report', at: 4_000 }]])
})

test('reports of at most a hundred machines are read, the newest ones', async () => {
  const { schema, migrated } = aStore(url)
  const storage = await migrated()
  await storage.presence.touch(Array.from({ length: 105 }, (_, n) => ({ scope: MACHINES, member: `m${n}`, at: n })))
  const { machines } = await inspectPostgres({ url, schema })
  expect([machines.length, machines[0]]).toEqual([100, { report: 'm104', at: 104 }])
})

test('the build of the newest archive is told', async () => {
  const { schema, migrated } = aStore(url)
  const storage = await migrated()
  const builds = [
    {
      id: 'bld_a',
      version: 1,
      projectId: 'prj',
      name: 'a',
      buildVersion: 1,
      status: 'ready',
      type: 'zip',
      createdAt: 1,
    },
    {
      id: 'bld_b',
      version: 1,
      projectId: 'prj',
      name: 'a',
      buildVersion: 2,
      status: 'ready',
      type: 'zip',
      createdAt: 2,
    },
    {
      id: 'bld_c',
      version: 1,
      projectId: 'prj',
      name: 'a',
      buildVersion: 3,
      status: 'failed',
      type: 'zip',
      createdAt: 3,
    },
  ] as unknown as readonly Build[]
  const writes = builds.map((put) => ({ kind: 'build', id: put.id, expected: 'absent', put }) as const)
  await storage.commit(change({ writes }))
  expect((await inspectPostgres({ url, schema })).newestArchive).toBe('bld_b')
})

test('the tables of another program, and a server that is not there, are told in one line', async () => {
  const { schema, door } = aStore(url)
  await door.query(`create schema ${schema}; create table ${schema}.theirs (id int)`)
  await expect(inspectPostgres({ url, schema })).rejects.toThrow(/holds the tables of another program$/)
  const nowhere = inspectPostgres({ url: 'postgres://postgres@127.0.0.1:1/nowhere' })
  await expect(nowhere).rejects.toBeInstanceOf(StorageUnavailable)
})
