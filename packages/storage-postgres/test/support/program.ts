import type { Storage } from '@matchyard/core/ports'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { type PostgresPoolOptions, postgresStorage } from '../../src/index'
import { aStore } from './store'

/** Creates a schema for one test, and a pool of a program that uses it. All of it is removed when the test ends. */
export function aProgram(url: string, settings: pg.PoolConfig = {}) {
  const { door, schema } = aStore(url)
  const pool = new pg.Pool({ connectionString: url, max: 4, ...settings })
  const handles: Storage[] = []
  onTestFinished(async () => {
    await Promise.all(handles.map((storage) => storage.close()))
    if (!pool.ending) await pool.end()
  })
  const handle = (options: Partial<PostgresPoolOptions> = {}): Storage => {
    const storage = postgresStorage({ pool, schema, ...options })
    handles.push(storage)
    return storage
  }
  const migrated = async (options: Partial<PostgresPoolOptions> = {}): Promise<Storage> => {
    const storage = handle(options)
    await storage.migrate()
    return storage
  }
  return { door, schema, pool, handle, migrated }
}
