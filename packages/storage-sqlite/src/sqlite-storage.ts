import { requireKnownOptions, type Storage } from '@matchyard/core/ports'
import type { SqliteStorageOptions } from './options'
import { storageOver } from './storage-over'
import { Store } from './store'

/**
 * Storage in one SQLite file, for one service. Call `migrate` before anything else. A file that is locked, damaged, not
 * ours, too new or without its log, a full disk and a read-only folder are StorageUnavailable with one line that says which; the next call tries again.
 * Throws TypeError for an option that nobody knows.
 */
export function sqliteStorage(options: SqliteStorageOptions): Storage {
  requireKnownOptions('sqliteStorage', options, OPTIONS)
  return storageOver(new Store(options))
}

const OPTIONS = ['path', 'synchronous', 'beside', 'cacheMb', 'logger'] satisfies (keyof SqliteStorageOptions)[]
