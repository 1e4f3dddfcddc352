import { randomUUID } from 'node:crypto'
import type { Storage } from '@matchyard/core/ports'
import { onTestFinished } from 'vitest'
import { type PostgresStorageOptions, postgresStorage } from '../../src/index'
import { SideDoor } from '../../src/testing/harness'

/**
 * Creates a schema for one test, with a connection that does not use the adapter, and any number of handles. All of it
 * is removed when the test ends.
 */
export function aStore(url: string) {
  const schema = `matchyard_${randomUUID().replaceAll('-', '')}`
  const door = new SideDoor(url, schema)
  const handles: Storage[] = []
  onTestFinished(async () => {
    await Promise.all(handles.map((storage) => storage.close()))
    await door.query(`drop schema if exists ${schema} cascade`)
    await door.end()
  })
  const handle = (options: Partial<PostgresStorageOptions> = {}): Storage => {
    const storage = postgresStorage({ url, schema, poolSize: 4, applicationName: schema, ...options })
    handles.push(storage)
    return storage
  }
  const migrated = async (options: Partial<PostgresStorageOptions> = {}): Promise<Storage> => {
    const storage = handle(options)
    await storage.migrate()
    return storage
  }
  return { schema, door, handle, migrated }
}

/** Ends those connections of a store's handles that satisfy a condition on `pg_stat_activity`. Returns their number. */
export async function cut(door: SideDoor, where = 'true'): Promise<number> {
  const ended = await door.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and (${where})`,
    [door.schema],
  )
  return ended.length
}
