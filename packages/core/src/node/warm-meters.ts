import type { Meter } from '../billing/usage-sums'
import type { Instant } from '../shared/time'

/** Metering of a server that waits for a match on this node. */
export interface WarmMeter extends Meter {
  /** Instant up to which the usage sums contain the seconds of the server. */
  readonly meteredTo: Instant
}

/**
 * Meters by the name under which a server waits. The map holds the waiting servers, and the servers that a match has taken and that do not
 * run yet.
 */
export type WarmMeters = Map<string, WarmMeter>
