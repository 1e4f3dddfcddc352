import type { TierSize } from '../catalog/tiers'

/** Limits of one node: the sizes of all its live servers, added up, stay within them. An absent limit does not apply. */
export interface NodeLimits {
  /** Maximum number of servers. */
  readonly maxServers?: number | undefined
  /** Maximum number of CPU cores for all servers together. */
  readonly maxServerCpus?: number | undefined
  /** Megabytes of 1,024 × 1,024 bytes, for all servers together. */
  readonly maxServerMemoryMb?: number | undefined
}

/** Returns the limits among other options. */
export const limitsAmong = ({ maxServers, maxServerCpus, maxServerMemoryMb }: NodeLimits): NodeLimits => ({
  maxServers,
  maxServerCpus,
  maxServerMemoryMb,
})

const MB_PER_GIB = 1_024

/** Units of the limits: the amount of each limit that a server of a size takes. */
export const LIMIT_UNITS = {
  maxServers: { whole: true, of: (_size: TierSize) => 1, word: 'servers' },
  maxServerCpus: { whole: false, of: ({ cpus }: TierSize) => cpus, word: 'CPUs' },
  maxServerMemoryMb: { whole: true, of: ({ memoryGib }: TierSize) => memoryGib * MB_PER_GIB, word: 'MB of memory' },
} as const satisfies Record<keyof NodeLimits, unknown>

export const LIMIT_NAMES = Object.keys(LIMIT_UNITS) as (keyof NodeLimits)[]

/** Capacity that servers use together. */
export interface RoomInUse {
  /** Number of servers. */
  readonly servers: number
  /** CPU cores of these servers. */
  readonly cpus: number
  /** Memory of these servers in megabytes of 1,024 × 1,024 bytes. */
  readonly memoryMb: number
}

/** Returns the capacity that servers of these sizes use. */
export const roomInUse = (sizes: readonly TierSize[]): RoomInUse => ({
  servers: sizes.length,
  cpus: sizes.reduce((sum, { cpus }) => sum + cpus, 0),
  memoryMb: sizes.reduce((sum, { memoryGib }) => sum + memoryGib * MB_PER_GIB, 0),
})

const usedOf = (name: keyof NodeLimits, { servers, cpus, memoryMb }: RoomInUse): number =>
  ({ maxServers: servers, maxServerCpus: cpus, maxServerMemoryMb: memoryMb })[name]

/** Whether a server of the wanted size fits beside the capacity in use. */
export const roomLeft = (limits: NodeLimits, used: RoomInUse, wanted: TierSize): boolean =>
  LIMIT_NAMES.every(
    (name) => usedOf(name, used) + LIMIT_UNITS[name].of(wanted) <= (limits[name] ?? Number.POSITIVE_INFINITY),
  )

/** Returns the largest share of a limit that is in use; undefined without limits. */
export function shareInUse(limits: NodeLimits, used: RoomInUse): number | undefined {
  const shares = LIMIT_NAMES.flatMap((name) => {
    const limit = limits[name]
    return limit === undefined ? [] : [usedOf(name, used) / limit]
  })
  return shares.length === 0 ? undefined : Math.max(...shares)
}
