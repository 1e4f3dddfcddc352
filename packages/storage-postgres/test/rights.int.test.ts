import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrationScript } from '../src/migrate'
import { aLobby, putLobby } from './support/changes'
import { aStore } from './support/store'

const url = inject('databaseUrl')

/** Creates a role whose only right is to connect. */
async function aRole({ door }: ReturnType<typeof aStore>) {
  const role = `role_${randomUUID().replaceAll('-', '')}`
  await door.query(`create role ${role} login`)
  onTestFinished(async () => {
    await door.query(`drop owned by ${role}`)
    await door.query(`drop role ${role}`)
  })
  const its = new URL(url)
  its.username = role
  return { role, its: its.href }
}

test('a role without rights is told with the statement that gives them', async () => {
  const store = aStore(url)
  const { role, its } = await aRole(store)
  const storage = store.handle({ url: its })
  await expect(storage.migrate()).rejects.toThrow(/may not do this: .*GRANT CREATE ON DATABASE "\w+" TO/)

  await store.door.query(`create schema ${store.schema}`)
  await expect(storage.migrate()).rejects.toThrow(/GRANT ALL ON SCHEMA … TO/)

  await store.door.query(`grant usage on schema ${store.schema} to ${role}`)
  await expect(storage.migrate()).rejects.toThrow(`GRANT ALL ON SCHEMA "${store.schema}" TO`)

  await store.door.query(`grant all on schema ${store.schema} to ${role}`)
  await storage.migrate()
})

test('a role without rights on tables that are there is told so', async () => {
  const store = aStore(url)
  await store.migrated()
  const { role, its } = await aRole(store)
  const storage = store.handle({ url: its })
  await expect(storage.newestInstant()).rejects.toThrow(/GRANT ALL ON SCHEMA … TO/)
  await store.door.query(`grant usage on schema ${store.schema} to ${role}`)
  await expect(storage.newestInstant()).rejects.toThrow(/GRANT ALL ON ALL TABLES IN SCHEMA … TO/)
})

test('a role without rights works on a schema that an administrator made for it by the printed script', async () => {
  const store = aStore(url)
  const { role, its } = await aRole(store)
  await store.door.query(migrationScript({ schema: store.schema, seen: 0, role }))
  const storage = store.handle({ url: its })
  await storage.migrate()
  const lobby = aLobby()
  expect(await storage.commit(putLobby(lobby))).toEqual({ ok: true })
  expect(await storage.commit(putLobby({ ...lobby, version: 2 }))).toEqual({ ok: true })
  await storage.prune(10_000_000)
  expect(await storage.get('lobby', lobby.id)).toMatchObject({ version: 2 })
})
