import type { Logger } from '@matchyard/core/ports'
import { lastFarewell } from './standard-streams'

/**
 * Logs an uncaught error in one line and ends the process, because the state of the process is unknown after such a
 * bug.
 */
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
