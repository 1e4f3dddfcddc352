import { DEFAULT_TIER, TIER_SIZES, type TierSize } from '../catalog/tiers'
import type { HeldRoom, RoomAnswer } from './orchestrator'

/** Limits of one node: the sizes of all its live servers, added up, stay within them. An absent limit does not apply. */
export interface NodeLimits {
  readonly maxServers?: number | undefined
  readonly maxServerCpus?: number | undefined
  /** Megabytes of 1,024 × 1,024 bytes, for all servers together. */
  readonly maxServerMemoryMb?: number | undefined
}

const MB_PER_GIB = 1_024

const UNITS = {
  maxServers: { whole: true, of: (_size: TierSize) => 1, word: 'servers' },
  maxServerCpus: { whole: false, of: ({ cpus }: TierSize) => cpus, word: 'CPUs' },
  maxServerMemoryMb: { whole: true, of: ({ memoryGib }: TierSize) => memoryGib * MB_PER_GIB, word: 'MB of memory' },
} as const satisfies Record<keyof NodeLimits, unknown>

const NAMES = Object.keys(UNITS) as (keyof NodeLimits)[]

/**
 * Throws TypeError when a limit is not a number above 0, or is too small for the smallest game server. `where` names the calling function
 * in the message.
 */
export function requireNodeLimits(where: string, limits: NodeLimits): void {
  for (const name of NAMES) {
    const limit: unknown = limits[name]
    if (limit === undefined) continue
    const { whole } = UNITS[name]
    const fits = typeof limit === 'number' && Number.isFinite(limit) && limit > 0 && (!whole || Number.isInteger(limit))
    if (!fits) {
      throw new TypeError(
        `${where}: ${name} must be a ${whole ? 'whole ' : ''}number above 0, not ${JSON.stringify(limit)}`,
      )
    }
    const needed = UNITS[name].of(TIER_SIZES[DEFAULT_TIER])
    if (limit < needed) {
      throw new TypeError(`${where}: ${name} ${limit} is less than the smallest game server takes: ${needed}`)
    }
  }
}

/** Whether at least one limit applies. */
export const isLimited = (limits: NodeLimits): boolean => NAMES.some((name) => limits[name] !== undefined)

/** Returns `ok` when a server of the wanted size fits beside the other servers, else the limit that it would exceed. */
export function roomBeside(limits: NodeLimits, others: readonly TierSize[], wanted: TierSize): RoomAnswer {
  let full: RoomAnswer | undefined
  for (const name of NAMES) {
    const limit = limits[name]
    if (limit === undefined) continue
    const { of, word } = UNITS[name]
    const needs = of(wanted)
    if (needs > limit) {
      return {
        ok: false,
        reason: 'too_large',
        message: `a node can run at most ${limit} ${word}; this server needs ${needs}`,
      }
    }
    const used = others.reduce((sum, size) => sum + of(size), 0)
    if (used + needs > limit) {
      full ??= { ok: false, reason: 'full', message: `${used} of the ${limit} ${word} of this node are in use` }
    }
  }
  return full ?? { ok: true }
}

/** Returns the sizes of all recorded and observed servers that hold capacity, except the given instance. Each server counts once. */
export function othersOf(
  instanceId: string,
  held: readonly HeldRoom[],
  observed: readonly HeldRoom[],
): readonly TierSize[] {
  const all = new Map([...observed, ...held].map((one) => [one.instanceId, one.tierSize]))
  all.delete(instanceId)
  return [...all.values()]
}

/** Capacity that servers use together. */
export interface RoomInUse {
  readonly servers: number
  readonly cpus: number
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
  NAMES.every((name) => usedOf(name, used) + UNITS[name].of(wanted) <= (limits[name] ?? Number.POSITIVE_INFINITY))

/** Returns the largest share of a limit that is in use; undefined without limits. */
export function shareInUse(limits: NodeLimits, used: RoomInUse): number | undefined {
  const shares = NAMES.flatMap((name) => {
    const limit = limits[name]
    return limit === undefined ? [] : [usedOf(name, used) / limit]
  })
  return shares.length === 0 ? undefined : Math.max(...shares)
}
