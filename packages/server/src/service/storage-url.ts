import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Logger, Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { ConfigurationError } from '../config/configuration-error'
import { isPostgresUrl, postgresUrlFault, redacted, sqlitePathOf } from '../config/database-url'
import type { PoolSettings } from '../config/serve-config'

import { makePrivateFolder } from './private-files'

export { ConfigurationError }

export interface StorageUrlOptions {
  readonly logger?: Logger
  /** Whether an operator's short command opens the storage, possibly while a service uses it. */
  readonly beside?: boolean
  /** Megabytes of memory for the pages of a SQLite file. */
  readonly cacheMb?: number
  /** Connection pool of a PostgreSQL database. */
  readonly pool?: PoolSettings
}

/**
 * Returns the storage of a URL: `sqlite:./file.db`, `postgres://…`, or `memory:` for trying the service. Throws
 * ConfigurationError.
 */
export async function storageOf(
  url: string,
  { pool, logger, beside, cacheMb }: StorageUrlOptions = {},
): Promise<Storage> {
  // The options are copied by name, because the storage would refuse other fields of the caller's object.
  const options = {
    ...(logger !== undefined && { logger }),
    ...(beside !== undefined && { beside }),
    ...(cacheMb !== undefined && { cacheMb }),
  }
  if (url === 'memory:') return memoryStorage()
  if (isPostgresUrl(url)) {
    const fault = postgresUrlFault(url)
    if (fault !== undefined) throw new ConfigurationError(`DATABASE_URL: ${fault}`)
    // The module is loaded only for PostgreSQL, so that services with a SQLite file start faster.
    const { postgresStorage } = await import('@matchyard/storage-postgres')
    return postgresStorage({ url, ...pool, ...(options.logger && { logger: options.logger }) })
  }
  const path = sqlitePathOf(url)
  if (path === ':memory:') return sqliteStorage({ ...options, path })
  if (path !== undefined && path !== '') {
    const file = resolve(path)
    if (options.beside === true && !existsSync(file)) {
      throw new ConfigurationError(`DATABASE_URL: ${file} does not exist; name the file of the service`)
    }
    makePrivateFolder(dirname(file))
    return sqliteStorage({ ...options, path: file })
  }
  throw new ConfigurationError(
    `DATABASE_URL: ${JSON.stringify(redacted(url))} is not a storage; use sqlite:./file.db or postgres://…`,
  )
}
