import type { Meter } from '../billing/usage-sums'
import type { Instant } from '../shared/time'

/** A server that waits for its match, as this node meters it. */
export interface WarmMeter extends Meter {
  /** Instant up to which the seconds of the server are in the usage sums. */
  readonly meteredTo: Instant
}

/** Meters by the name under which a server waits. The map holds the servers that wait, and those that were taken and do not run yet. */
export type WarmMeters = Map<string, WarmMeter>
