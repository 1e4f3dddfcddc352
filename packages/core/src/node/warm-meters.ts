import type { Meter } from '../billing/usage-sums'
import type { Instant } from '../shared/time'

/** Metering of a server that waits for a match on this node. */
export interface WarmMeter extends Meter {
  /** Instant up to which the usage sums of the storage contain the seconds of the server. */
  readonly meteredTo: Instant
}

/**
 * Metering by the name of the waiting server. The map has the servers that wait for a match, and the servers that a match has taken but
 * that do not run yet.
 */
export type WarmMeters = Map<string, WarmMeter>
