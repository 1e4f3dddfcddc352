import type { Logger } from '@matchyard/core/ports'

// The options have a file of their own, so that the published declarations do not name types of the database library.
/** Options of `sqliteStorage`. */
export interface SqliteStorageOptions {
  /** Path of the database file, or `:memory:`. A missing file is created; a missing folder is not. */
  readonly path: string
  /**
   * `full` (default): an acknowledged commit survives a power cut; the wait for the disk does not block the event loop.
   * `normal`: an acknowledged commit survives only a crash of the process, and no commit waits for the disk.
   */
  readonly synchronous?: 'full' | 'normal'
  /**
   * Whether to open a file that a service may be using, without taking the lock of the file. For an operator's command
   * that reads, or that makes one small commit. A running service notices the commit within a second. Default: false; a
   * file that is in use is then refused.
   */
  readonly beside?: boolean
  /**
   * Memory for pages of the file, in megabytes; default 64. The memory fills while the service runs, and is not
   * released.
   */
  readonly cacheMb?: number
  /** Log of the storage. Default: none. */
  readonly logger?: Logger
}
