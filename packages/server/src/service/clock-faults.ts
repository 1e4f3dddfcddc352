import { MINUTE_MS } from '@matchyard/core/domain'

/** Between two machines whose clocks are kept, and between a commit and the end of the process that made it. */
export const TOLERATED_CLOCK_MS = 5 * MINUTE_MS
/** A service that rested for longer than this may as well have a clock that is ahead; nobody can tell them apart. */
const LONG_REST_MS = 7 * 24 * 60 * MINUTE_MS

export interface SeenClocks {
  /** This machine's. */
  readonly now: number
  /** The newest instant that is stored; 0 in an empty store. */
  readonly newest: number
  /** The database server's, where it has one of its own. */
  readonly database?: number | undefined
}

/** Mends a clock that is behind. */
export const CLOCK_MEND = 'set the clock (timedatectl set-ntp true); if it is right, run: matchyard clock --accept'

const at = (instant: number) => new Date(instant).toISOString()

/**
 * Returns the clock fault that prevents a start: later records would have wrong instants for good. A clock behind the records was ahead when
 * they were made, or is wrong now.
 */
export function clockFault({ now, newest, database }: SeenClocks): string | undefined {
  if (database !== undefined && Math.abs(now - database) > TOLERATED_CLOCK_MS) {
    return `this machine's clock says ${at(now)} and the database's ${at(database)}: set the one that is wrong`
  }
  if (newest - now <= TOLERATED_CLOCK_MS) return undefined
  return `the clock says ${at(now)}, but the newest record is of ${at(newest)}: ${CLOCK_MEND}`
}

/** Returns a doubt about the clock that a start reports, although it may be right. */
export function clockDoubt({ now, newest, database }: SeenClocks): string | undefined {
  if (newest === 0 || database !== undefined || now - newest < LONG_REST_MS) return undefined
  return `the newest record is of ${at(newest)}, and the clock says ${at(now)}: if the service has not rested since, stop it and set the clock`
}
