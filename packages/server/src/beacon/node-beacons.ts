import type { MachineBeacon } from '@matchyard/core'
import type { AgonesOptions } from '../config/agones'
import type { ORCHESTRATORS } from '../config/environment'

/** Settings of the beacons of a node. */
export interface BeaconChoice {
  /** UDP port on which the node answers requests of players' clients. Default: none. */
  readonly beaconPort?: number | undefined
  /** https URL that reaches `/ping` of this node. Default: none; browsers then cannot measure. */
  readonly beaconUrl?: string | undefined
}

interface Choice extends BeaconChoice {
  readonly orchestrator?: (typeof ORCHESTRATORS)[number]
  readonly agones?: Pick<AgonesOptions, 'beacons'> | undefined
}

/** Whether the node answers requests of players' clients. */
export const hasBeacon = ({ beaconPort, beaconUrl }: BeaconChoice): boolean =>
  beaconPort !== undefined || beaconUrl !== undefined

/** Returns the beacons of the node's machine. `host` is the address at which players reach its game servers. */
export function beaconsOf(choice: Choice, host = '127.0.0.1'): readonly MachineBeacon[] {
  const { beaconPort: udpPort, beaconUrl: url, orchestrator, agones } = choice
  if (orchestrator === 'agones') return agones?.beacons ?? []
  return hasBeacon(choice) ? [{ host, udpPort, url }] : []
}
