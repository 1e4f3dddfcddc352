import { MINUTE_MS } from '@matchyard/core/domain'

/**
 * Tolerated difference in milliseconds: five minutes. Synchronized clocks of two machines differ by less, and so do the
 * time of the last commit and the time at which the committing process ended.
 */
export const TOLERATED_CLOCK_MS = 5 * MINUTE_MS
/**
 * Pause of the service in milliseconds (seven days) above which the service cannot distinguish a pause from a clock
 * that is ahead.
 */
const LONG_REST_MS = 7 * 24 * 60 * MINUTE_MS

export interface SeenClocks {
  /** Current time of this machine. */
  readonly now: number
  /** Newest time in the storage; 0 when the storage is empty. */
  readonly newest: number
  /** Time of the database server; undefined when the database has no clock of its own. */
  readonly database?: number | undefined
}

/** Remedy for a clock that is behind. */
export const CLOCK_MEND = 'set the clock (timedatectl set-ntp true); if it is right, run: matchyard clock --accept'

const at = (instant: number) => new Date(instant).toISOString()

/**
 * Returns a sentence about the clock fault that prevents a start; undefined if there is none. With a wrong clock, new
 * records would have wrong times that stay. A clock that is behind the newest record is wrong now, or was ahead when
 * the record was made.
 */
export function clockFault({ now, newest, database }: SeenClocks): string | undefined {
  if (database !== undefined && Math.abs(now - database) > TOLERATED_CLOCK_MS) {
    return `this machine's clock says ${at(now)} and the database's ${at(database)}: set the one that is wrong`
  }
  if (newest - now <= TOLERATED_CLOCK_MS) return undefined
  return `the clock says ${at(now)}, but the newest record is of ${at(newest)}: ${CLOCK_MEND}`
}

/**
 * Returns a warning that the clock may be wrong; undefined if there is no doubt. A warning is not a fault, because the
 * clock is right if the service paused for long.
 */
export function clockDoubt({ now, newest, database }: SeenClocks): string | undefined {
  if (newest === 0 || database !== undefined || now - newest < LONG_REST_MS) return undefined
  return `the newest record is of ${at(newest)}, and the clock says ${at(now)}: if the service has not rested since, stop it and set the clock`
}
