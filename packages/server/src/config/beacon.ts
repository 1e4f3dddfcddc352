import { REGIONS } from '@matchyard/core'
import { z } from 'zod'
import { Fault } from './setting'

const MAX_URL_LENGTH = 512
/** Maximum beacons of one region of the clusters, as many as clients are told. */
const MAX_BEACONS = 8

/** Reads the URL that reaches `/ping` of this node from the internet. */
export function beaconUrl(text: string): string | Fault {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || url.password !== '' || url.hash !== '')
    return new Fault(`${JSON.stringify(text)} is not a URL; give one like https://fra-1.example.com/ping`)
  return url.protocol === 'https:'
    ? url.href
    : new Fault(`${JSON.stringify(text)} is not an https URL, and pages of games may call https only`)
}

const httpsUrl = z.string().refine((text) => !(beaconUrl(text) instanceof Fault), 'must be an https URL')

/** Beacons of clusters, by region: services that return a UDP packet, and URLs that answer a GET request. */
export const clusterBeacons = z.partialRecord(
  z.enum(REGIONS),
  z
    .array(
      z
        .strictObject({
          host: z.string().min(1).max(253),
          udp_port: z.int().min(1).max(65_535).optional(),
          url: httpsUrl.optional(),
        })
        .refine(({ udp_port, url }) => udp_port !== undefined || url !== undefined, 'must have a udp_port or a url'),
    )
    .max(MAX_BEACONS),
)

interface BeaconVariables {
  readonly ORCHESTRATOR: string
  readonly BEACON_PORT: number | undefined
  readonly BEACON_URL: string | undefined
}

const OF_MACHINES = ['BEACON_PORT', 'BEACON_URL'] as const

/** Advice about a beacon, by the orchestrator of a node on which no game servers run. */
const MENDS: Readonly<Record<string, string>> = {
  none: 'unset it',
  agents: 'set it on the machines of the agents',
  agones: 'name the beacons of the clusters in AGONES_CONFIG',
}

/** Returns faults by variable: each beacon of a node on which no game servers run. */
export function beaconFaults(data: BeaconVariables): ReadonlyMap<(typeof OF_MACHINES)[number], string> {
  const { ORCHESTRATOR: orchestrator } = data
  const mend = MENDS[orchestrator]
  if (mend === undefined) return new Map()
  const given = OF_MACHINES.filter((name) => data[name] !== undefined)
  return new Map(
    given.map((name) => [name, `no game servers run on this node (ORCHESTRATOR=${orchestrator}); ${mend}`]),
  )
}
