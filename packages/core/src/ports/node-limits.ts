import { DEFAULT_TIER, TIER_SIZES, type TierSize } from '../catalog/tiers'
import { LIMIT_NAMES, LIMIT_UNITS, type NodeLimits } from '../machine/limits'
import type { HeldRoom, RoomAnswer } from './orchestrator'

export { limitsAmong, type NodeLimits } from '../machine/limits'

/**
 * Throws TypeError when a limit is not a number above 0, or is too small for the smallest game server. `where` names the calling function
 * in the message.
 */
export function requireNodeLimits(where: string, limits: NodeLimits): void {
  for (const name of LIMIT_NAMES) {
    const limit: unknown = limits[name]
    if (limit === undefined) continue
    const { whole } = LIMIT_UNITS[name]
    const fits = typeof limit === 'number' && Number.isFinite(limit) && limit > 0 && (!whole || Number.isInteger(limit))
    if (!fits) {
      throw new TypeError(
        `${where}: ${name} must be a ${whole ? 'whole ' : ''}number above 0, not ${JSON.stringify(limit)}`,
      )
    }
    const needed = LIMIT_UNITS[name].of(TIER_SIZES[DEFAULT_TIER])
    if (limit < needed) {
      throw new TypeError(`${where}: ${name} ${limit} is less than the smallest game server takes: ${needed}`)
    }
  }
}

/** Whether at least one limit applies. */
export const isLimited = (limits: NodeLimits): boolean => LIMIT_NAMES.some((name) => limits[name] !== undefined)

/** Returns `ok` when a server of the wanted size fits beside the other servers, else the limit that it would exceed. */
export function roomBeside(limits: NodeLimits, others: readonly TierSize[], wanted: TierSize): RoomAnswer {
  let full: RoomAnswer | undefined
  for (const name of LIMIT_NAMES) {
    const limit = limits[name]
    if (limit === undefined) continue
    const { of, word } = LIMIT_UNITS[name]
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
