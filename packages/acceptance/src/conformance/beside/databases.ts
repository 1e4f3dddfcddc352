import type { Storage } from '@matchyard/core/ports'
import { postgresStorage } from '@matchyard/storage-postgres'
import { SideDoor } from '@matchyard/storage-postgres/testing'

/** A database that is migrated, and that nobody is connected to: the worlds' are copies of it. */
const TEMPLATE = 'matchyard_template'

/** The address of a database of the server. */
export function addressOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function onServer(server: string, statement: string): Promise<void> {
  const door = new SideDoor(server, 'public')
  try {
    await door.query(statement)
  } finally {
    await door.end()
  }
}

/** Migrates by this release. */
export async function makeTemplate(server: string): Promise<void> {
  await onServer(server, `create database ${TEMPLATE}`)
  const storage = postgresStorage({ url: addressOf(server, TEMPLATE), poolSize: 1 })
  await storage.migrate()
  await storage.close()
}

let made = 0
const names = new WeakMap<Storage, string>()

/** For a new world; a world on the storage of another one has the database of that. */
export async function databaseFor(server: string, storage?: Storage): Promise<{ name: string; isNew: boolean }> {
  if (storage !== undefined) {
    const name = names.get(storage)
    if (name === undefined) throw new Error('two releases cannot share a storage that the test has made itself')
    return { name, isNew: false }
  }
  const name = `world_${process.pid}_${++made}`
  await onServer(server, `create database ${name} template ${TEMPLATE}`)
  return { name, isNew: true }
}

export const remember = (storage: Storage, name: string): void => void names.set(storage, name)

export const dropDatabase = (server: string, name: string): Promise<void> =>
  onServer(server, `drop database ${name} with (force)`)
