import type { Logger } from '@matchyard/core/ports'
import { lastFarewell } from './standard-streams'

/** Logs an uncaught error in one line and ends the process: after such a bug, the state of the process is unknown. */
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
