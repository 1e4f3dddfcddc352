import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
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
