import { requireKnownOptions, type Storage } from '@matchyard/core/ports'
import type { SqliteStorageOptions } from './options'
import { storageOver } from './storage-over'
import { Store } from './store'

/**
 * Returns a storage in one SQLite file, for one service. Call `migrate` before any other method. Calls reject with
 * StorageUnavailable and a message of one line when the file is locked, damaged, of another program, too new or without
 * its log, when the disk is full, and when the folder is read-only. The next call tries again. Throws TypeError for an
 * unknown option.
 */
export function sqliteStorage(options: SqliteStorageOptions): Storage {
  requireKnownOptions('sqliteStorage', options, OPTIONS)
  return storageOver(new Store(options))
}

const OPTIONS = ['path', 'synchronous', 'beside', 'cacheMb', 'logger'] satisfies (keyof SqliteStorageOptions)[]
