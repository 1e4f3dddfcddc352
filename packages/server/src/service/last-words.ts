import type { Logger } from '@matchyard/core/ports'
import { lastFarewell } from './standard-streams'

/** A bug that nobody caught ends the process, after one line in the log: going on in an unknown state would be worse. */
export function logLastWords(logger: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.error('a bug ended the service', {
      origin,
      error: error instanceof Error ? (error.stack ?? '') : String(error),
    })
    lastFarewell()
    process.exit(1)
  })
}
