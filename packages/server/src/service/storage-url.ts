import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Logger, Storage } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { sqliteStorage } from '@matchyard/storage-sqlite'

/** Fails with one line that says how to mend it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** The storage that a URL names: `sqlite:./file.db`, `postgres://…`, or `memory:` for a try. */
export async function storageOf(url: string, logger: Logger): Promise<Storage> {
  if (url === 'memory:') return memoryStorage()
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length).replace(/^\/\//, '')
    if (path === ':memory:') return sqliteStorage({ path, logger })
    const file = resolve(path)
    mkdirSync(dirname(file), { recursive: true })
    return sqliteStorage({ path: file, logger })
  }
  throw new ConfigurationError(`DATABASE_URL: ${JSON.stringify(redacted(url))} is not a storage; use sqlite:./file.db`)
}

/** A URL without its password. */
export const redacted = (url: string): string => url.replace(/(:\/\/[^:/@]*):[^@]*@/, '$1:***@')
