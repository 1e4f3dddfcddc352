import { join } from 'node:path'
import { FileInUse, lockFile } from '@matchyard/storage-sqlite'
import { ConfigurationError } from '../config/configuration-error'

/**
 * Takes the folder of an agent for this process, until the process ends. The lock is that of a SQLite file: the system
 * releases it when the process dies, and of several processes that begin at once, one gets it. Throws
 * ConfigurationError while another process has the folder.
 */
export function lockFolder(directory: string): { release(): void } {
  try {
    return lockFile(join(directory, 'agent'))
  } catch (error) {
    if (!(error instanceof FileInUse)) throw error
    throw new ConfigurationError(
      `another agent runs with the data folder ${directory}; give this one another folder with MATCHYARD_DATA, or stop the other one`,
    )
  }
}
