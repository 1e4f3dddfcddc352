import { REGIONS, type Region } from '../catalog/regions'

/** Address at which players' clients measure their latency to a machine: by UDP, by HTTP, or by both. */
export interface Beacon {
  /** Name or address of the host that answers by UDP. */
  readonly host: string
  /** UDP port; absent when the host answers no UDP requests. */
  readonly udpPort?: number | undefined
  /** URL that answers a GET request without a body, for browsers; absent without one. */
  readonly url?: string | undefined
}

/** Beacon in the record of a machine. */
export interface MachineBeacon extends Beacon {
  /** Region that the beacon measures. Default: each region of the machine. */
  readonly region?: Region | undefined
}

/** Region in which servers can run now, and the beacons of its machines. */
export interface ServedRegion {
  /** Code of the region. */
  readonly region: Region
  /** Beacons of machines that take new servers, at most `MAX_BEACONS`; empty when the machines of the region have none. */
  readonly beacons: readonly Beacon[]
}

/** Maximum beacons of one region that clients are told. The machines of a region are near each other, so a few are enough. */
export const MAX_BEACONS = 8

/** Maximum beacons of one machine: those of each region. */
export const MAX_MACHINE_BEACONS = MAX_BEACONS * REGIONS.length

/** Returns a beacon as the record of a machine has it, without fields that have no value. */
export const recordedBeacon = ({ host, udpPort, url, region }: MachineBeacon): MachineBeacon => ({
  host,
  ...(udpPort === undefined ? {} : { udpPort }),
  ...(url === undefined ? {} : { url }),
  ...(region === undefined ? {} : { region }),
})

/** Machine with its beacons. */
interface Lit {
  readonly regions: readonly Region[]
  readonly beacons: readonly MachineBeacon[]
}

/** Returns the first beacons of a region, each address once. */
export function beaconsOf(region: Region, machines: readonly Lit[]): Beacon[] {
  const known = new Map<string, Beacon>()
  for (const { regions, beacons } of machines) {
    if (!regions.includes(region)) continue
    for (const { region: only = region, ...beacon } of beacons) {
      if (only !== region || known.size >= MAX_BEACONS) continue
      const { host, udpPort, url } = beacon
      known.set(JSON.stringify([host, udpPort, url]), beacon)
    }
  }
  return [...known.values()]
}
