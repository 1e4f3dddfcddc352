import type { Logger, Storage } from '@matchyard/core/ports'
import { ConfigurationError } from '../config/configuration-error'
import { clockDoubt, clockFault } from './clock-faults'

interface ToCheck {
  readonly storage: Storage
  /** The clock of the database's own machine; undefined where it has none of its own. */
  readonly databaseNow?: (() => Promise<number>) | undefined
  readonly logger: Logger
  /** Reaction to a clock fault; default: the start is refused. */
  readonly wrongClock?: 'refuse' | 'warn'
}

/** Before anything is written to a storage that has its schema: a start with a wrong clock stamps what it writes for good. Throws ConfigurationError. */
export async function checkClock({ storage, databaseNow, logger, wrongClock }: ToCheck, now: number): Promise<void> {
  const seen = { now, newest: await storage.newestInstant(), database: await databaseNow?.() }
  const fault = clockFault(seen)
  if (fault !== undefined && wrongClock !== 'warn') throw new ConfigurationError(fault)
  const told = fault ?? clockDoubt(seen)
  if (told !== undefined) logger.warn(told)
}
