import type { Logger, Storage } from '@matchyard/core/ports'
import { ConfigurationError } from '../config/configuration-error'
import { clockDoubt, clockFault } from './clock-faults'

interface ToCheck {
  readonly storage: Storage
  /** Returns the time of the database server; undefined when the database has no clock of its own. */
  readonly databaseNow?: (() => Promise<number>) | undefined
  readonly logger: Logger
  /** Effect of a wrong clock. Default: the start is refused. */
  readonly wrongClock?: 'refuse' | 'warn'
}

/**
 * Compares the clock with the times in the storage. Must run after the schema is updated and before any other write,
 * because a service with a wrong clock writes wrong times that stay. Throws ConfigurationError.
 */
export async function checkClock({ storage, databaseNow, logger, wrongClock }: ToCheck, now: number): Promise<void> {
  const seen = { now, newest: await storage.newestInstant(), database: await databaseNow?.() }
  const fault = clockFault(seen)
  if (fault !== undefined && wrongClock !== 'warn') throw new ConfigurationError(fault)
  const told = fault ?? clockDoubt(seen)
  if (told !== undefined) logger.warn(told)
}
