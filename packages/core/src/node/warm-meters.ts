import type { Meter } from '../billing/usage-sums'
import type { Instant } from '../shared/time'

/** A server that waits for its match, as this node meters it. */
export interface WarmMeter extends Meter {
  /** Up to when its seconds are added up. */
  readonly meteredTo: Instant
}

/** By the name under which it waits. There are as many as wait, or were taken and do not run yet. */
export type WarmMeters = Map<string, WarmMeter>
