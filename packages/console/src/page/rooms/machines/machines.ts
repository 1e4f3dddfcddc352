import type { Machine } from '@matchyard/client/admin'
import { regionsTold } from '../../data/regions'
import type { STATUSES } from '../../ui/statuses'
import { counted, span } from '../../ui/words'

type Region = Machine['regions'][number]

/** Status that the console shows: a machine that pauses by itself is not shown as cordoned. */
export type ShownStatus = keyof (typeof STATUSES)['machine']

export const isReady = ({ status }: Machine): boolean => status === 'ready'
/** Whether the machine takes no new servers for a while, because launches on it failed. */
export const isPaused = ({ status, status_reason }: Machine): boolean => status === 'cordoned' && status_reason !== null

export const shownStatus = (machine: Machine): ShownStatus => (isPaused(machine) ? 'paused' : machine.status)

/** Actions that change a machine in its status. */
export const actionsOf = (machine: Machine) => ({
  canCordon: isReady(machine) || isPaused(machine) || machine.status === 'lost',
  canUncordon: !isReady(machine),
  canDrain: machine.status !== 'drained',
})

/** Returns the time until a draining machine stops its remaining servers; undefined without a deadline. */
export function drainLeft({ status, drain_by }: Machine, now: number): string | undefined {
  if (status !== 'draining' || drain_by === null) return undefined
  const seconds = Math.round((Date.parse(drain_by) - now) / 1_000)
  return seconds > 0 ? `${span(seconds)} left` : 'stopping servers'
}

/** Returns the largest share of a limit that is in use, from 0 to 1; undefined for a machine without limits. */
export function shareInUse({ capacity, used }: Machine): number | undefined {
  const shares = (['servers', 'cpus', 'memory_mb'] as const).flatMap((name) => {
    const limit = capacity[name]
    return limit === undefined ? [] : [limit === 0 ? 1 : used[name] / limit]
  })
  return shares.length === 0 ? undefined : Math.max(...shares)
}

const MB_PER_GIB = 1_024

/** Returns megabytes as text in GiB: `7.5 GiB`. */
export const gib = (megabytes: number): string => `${(megabytes / MB_PER_GIB).toFixed(1)} GiB`

/** Machines that serve the same regions. */
export interface RegionGroup {
  readonly regions: readonly Region[]
  readonly machines: readonly Machine[]
}

/** Returns the machines by their regions. The groups are in the alphabetical order of their regions. */
export function byRegions(machines: readonly Machine[]): readonly RegionGroup[] {
  const groups = new Map<string, { readonly regions: readonly Region[]; readonly machines: Machine[] }>()
  for (const machine of machines) {
    const regions = [...machine.regions].sort()
    const group = groups.get(regions.join()) ?? { regions, machines: [] }
    group.machines.push(machine)
    groups.set(regions.join(), group)
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

/** Maximum machines that a sentence names. */
const NAMED = 5

/**
 * Returns a sentence for the regions of the machines in which no machine takes new servers. Regions with the same machines
 * are in one sentence.
 */
export function unservedTold(machines: readonly Machine[]): readonly string[] {
  const served = new Set(machines.filter(isReady).flatMap(({ regions }) => regions))
  const closed = new Map<string, { readonly regions: Region[]; readonly of: readonly Machine[] }>()
  for (const region of new Set(machines.flatMap(({ regions }) => regions))) {
    if (served.has(region)) continue
    const of = machines.filter(({ regions }) => regions.includes(region))
    const key = of.map(({ machine_id }) => machine_id).join()
    const known = closed.get(key) ?? { regions: [], of }
    known.regions.push(region)
    closed.set(key, known)
  }
  return [...closed.values()].map(({ regions, of }) => {
    const named = of.slice(0, NAMED).map((machine) => `${machine.name} is ${shownStatus(machine)}`)
    const more = of.length > NAMED ? [`and ${of.length - NAMED} more`] : []
    return `No machine takes new servers in ${regionsTold(regions)}: ${[...named, ...more].join(', ')}. Matches wait for capacity.`
  })
}

/** Returns the regions of a ready machine in which no other machine takes new servers. */
export function servedAlone(machine: Machine, machines: readonly Machine[]): readonly Region[] {
  if (!isReady(machine)) return []
  const others = machines.filter((one) => one.machine_id !== machine.machine_id && isReady(one))
  return machine.regions.filter((region) => !others.some(({ regions }) => regions.includes(region)))
}

/** Returns the number of servers on a machine as text. */
export const serversTold = ({ servers }: Machine): string => counted(servers, 'server')
