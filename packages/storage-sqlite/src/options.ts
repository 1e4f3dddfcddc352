import type { Logger } from '@matchyard/core/ports'

// In a file of its own, so that the published declarations name nothing of the database library.
export interface SqliteStorageOptions {
  /** The database file, made where it is missing (its folder is not), or `:memory:`. */
  readonly path: string
  /**
   * `full` (default): an acknowledged commit survives a power cut, which is waited for away from the event loop. `normal`: it survives
   * a crash of the process only, and nothing is waited for.
   */
  readonly synchronous?: 'full' | 'normal'
  /**
   * Works beside a service that runs on the file, without its lock: for an operator's command that reads or makes one small
   * commit. The service notices within a second. Default: no, and a file that is in use is refused.
   */
  readonly beside?: boolean
  /** Memory for pages of the file, in megabytes; default 64. It fills as the service runs, and then stays. */
  readonly cacheMb?: number
  readonly logger?: Logger
}
