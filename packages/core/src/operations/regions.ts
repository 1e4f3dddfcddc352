import { listRegions } from '../use-cases/regions/list-regions'
import { PLAYERS_AND_SESSION } from './callers'
import { type CallsOf, operation } from './operation'

/** Regions in which servers can run. */
export const regions = {
  /**
   * Returns the regions that live machines serve, in the operator's order, each with at most 8 beacons at which players' clients measure
   * their latency. Beacons of machines that take no new servers are left out. A node reads the regions at most once a second.
   */
  list: operation({ callers: PLAYERS_AND_SESSION, role: 'viewer', run: listRegions }),
}

/**
 * Regions in which servers can run.
 *
 * @interface
 */
export type Regions = CallsOf<typeof regions>
