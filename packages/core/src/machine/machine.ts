import { ALL_REGIONS, isRegion, type Region } from '../catalog/regions'
import type { TierSize } from '../catalog/tiers'
import { type NodeLimits, type RoomInUse, roomLeft, shareInUse } from './limits'
import type { RecordedMachineStatus } from './record'

/** Machine: a place where game servers run. It is a node with an orchestrator, or the clusters that several nodes share. */
export interface Machine {
  /** Name that the records of its servers have in `nodeId`. */
  readonly id: string
  /** Regions whose servers the machine runs, in the operator's order of preference. */
  readonly regions: readonly Region[]
  readonly limits: NodeLimits
  /** Capacity that its recorded servers use. */
  readonly used: RoomInUse
  /** Whether the machine has no certificate, so that servers with TLS ports cannot start on it. */
  readonly isWithoutTls?: boolean | undefined
  /** Load of the whole machine; absent when its node cannot measure it. */
  readonly load?: MachineLoad | undefined
  /** Status in the machine's record, `cordoned` during a pause. Absent without a record: the machine takes servers. */
  readonly status?: RecordedMachineStatus | undefined
}

/** Load of a machine, with programs that are not game servers. */
export interface MachineLoad {
  /** Load average of the last minute, in percent of all processors; above 100 when programs wait for a processor. */
  readonly cpuPercent: number
  /** Memory in use, in megabytes of 1,024 × 1,024 bytes. */
  readonly memoryMb: number
}

/** Whether new servers may start on the machine. */
export const isOpenMachine = ({ status }: Pick<Machine, 'status'>): boolean =>
  status === undefined || status === 'ready'

/** How a machine is chosen. `pack`: the fullest with capacity, so that other machines become empty. `spread`: the emptiest. */
export const PLACEMENTS = ['pack', 'spread'] as const
/** Way to choose a machine, one of `PLACEMENTS`. */
export type Placement = (typeof PLACEMENTS)[number]

/** Effect of a region without a machine. `none`: its servers wait. `any`: they run in another region. */
export const REGION_FALLBACKS = ['none', 'any'] as const
/** Effect of a region without a machine, one of `REGION_FALLBACKS`. */
export type RegionFallback = (typeof REGION_FALLBACKS)[number]

/** Whether the operator named no regions for the machine, or all of them in the usual order. */
export const servesAll = ({ regions }: Pick<Machine, 'regions'>): boolean => regions.join() === ALL_REGIONS.join()

/**
 * Returns the regions that at least one machine serves, in the order of preference. The best place that a region has in the list of a
 * machine decides; between equal places, `iad` comes first, and then the alphabetical order decides.
 */
export function servedBy(machines: readonly Machine[]): Region[] {
  const place = new Map<Region, number>()
  for (const { regions } of machines) {
    for (const [index, region] of regions.entries()) place.set(region, Math.min(index, place.get(region) ?? index))
  }
  const placeOf = (region: Region) => place.get(region) ?? Number.POSITIVE_INFINITY
  return ALL_REGIONS.filter((region) => place.has(region)).sort((a, b) => placeOf(a) - placeOf(b))
}

/** Properties of a server by which its machine is chosen. */
export interface PlacedServer {
  readonly region: Region
  readonly tierSize: TierSize
  /** Whether a port of the server has TLS. */
  readonly hasTls: boolean
}

/** Whether the machine runs servers of this region with these ports, whatever its capacity and its status. */
export const runsOn = (
  { regions, isWithoutTls }: Pick<Machine, 'regions' | 'isWithoutTls'>,
  { region, hasTls }: Omit<PlacedServer, 'tierSize'>,
): boolean => regions.includes(region) && !(hasTls && isWithoutTls === true)

/**
 * Returns the machine on which a server should start; undefined when no machine of the region has capacity. Between equal machines the
 * first of the list is chosen. Machines without limits have no measure of fullness: servers are spread over them, after the others.
 */
export function chooseMachine(
  machines: readonly Machine[],
  placement: Placement,
  { region, tierSize, hasTls }: PlacedServer,
): Machine | undefined {
  const fitting = machines.filter(
    (one) => isOpenMachine(one) && runsOn(one, { region, hasTls }) && roomLeft(one.limits, one.used, tierSize),
  )
  const sign = placement === 'pack' ? -1 : 1
  const ranked = fitting.map((machine) => ({ machine, share: shareInUse(machine.limits, machine.used) }))
  const order = (a: (typeof ranked)[number], b: (typeof ranked)[number]) =>
    Number(a.share === undefined) - Number(b.share === undefined) ||
    sign * ((a.share ?? 0) - (b.share ?? 0)) ||
    (a.share === undefined ? a.machine.used.servers - b.machine.used.servers : 0)
  return ranked.sort(order)[0]?.machine
}

/** Presence scope in which every machine reports itself. */
export const MACHINES = 'machines'

/** Returns the text in which a machine reports itself. */
export const machineText = ({ id, regions, limits, used, load, isWithoutTls }: Machine): string => {
  const more = isWithoutTls === true ? [load ?? null, { isWithoutTls }] : load === undefined ? [] : [load]
  return JSON.stringify([id, regions, limits, used, ...more])
}

type ReportedMachine = [string, string[], NodeLimits, RoomInUse, (MachineLoad | null)?, { isWithoutTls?: boolean }?]

/** Returns the machine of a report; undefined for a report that this release cannot read. */
export function machineOfText(text: string): Machine | undefined {
  try {
    const [id, regions, limits, used, load, more] = JSON.parse(text) as ReportedMachine
    const isWithoutTls = more?.isWithoutTls === true ? { isWithoutTls: true } : {}
    return { id, regions: regions.filter(isRegion), limits, used, ...(load ? { load } : {}), ...isWithoutTls }
  } catch {
    return undefined
  }
}

/** Returns a clause about a region in which servers with TLS ports cannot start. */
export const nobodyEndsTls = (region: Region): string =>
  `no machine that serves ${region} has a certificate for ports with TLS`

const regionsToldOf = (machine: Machine): string => (servesAll(machine) ? 'all regions' : machine.regions.join(', '))

/** Maximum machines that a sentence names. */
const NAMED = 5

/**
 * Returns a clause about a region without a machine that takes servers, with the machines there are: "no machine serves ams (fra-1 serves
 * fra; ams-1 is cordoned)".
 */
export function nobodyServes(region: Region, machines: readonly Machine[]): string {
  const named = machines
    .slice(0, NAMED)
    .map((one) => `${one.id} ${isOpenMachine(one) ? `serves ${regionsToldOf(one)}` : `is ${one.status}`}`)
  const more = machines.length > NAMED ? [`and ${machines.length - NAMED} more`] : []
  const there = machines.length === 0 ? 'there is no machine' : [...named, ...more].join('; ')
  return `no machine serves ${region} (${there})`
}
