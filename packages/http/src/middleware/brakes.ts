import type { Caller } from '@matchyard/core'
import { type Clock, type NamesOf, requireKnownOptions, requireWholeNumber } from '@matchyard/core/ports'
import type { Operation } from '../operations'
import { rateLimited } from './limit-headers'
import { memoryRateLimiter, type RateRule } from './rate-limiter'

const SECOND = 1_000

/** Default limits for the calls of one player, counted on one process (docs/http-api.md §6). */
const CREATIONS: RateRule = { name: 'creations', points: 10, windowMs: 10 * SECOND }
const JOINS: RateRule = { name: 'joins', points: 20, windowMs: 10 * SECOND }
const STREAMS: RateRule = { name: 'streams', points: 60, windowMs: 10 * SECOND }
const OTHER_WRITES: RateRule = { name: 'writes', points: 120, windowMs: 60 * SECOND }

/** Rate limits on this process for one player's calls with a client key; 0 means no limit. */
export interface BrakeLimits {
  /** Maximum number of created lobbies and renewed invite codes of one player in 10 seconds; default 10. */
  readonly creations?: number
  /** Maximum number of times that one player joins a lobby in 10 seconds; default 20. */
  readonly joins?: number
  /** Maximum number of lobby event streams that one player opens in 10 seconds; default 60. */
  readonly streams?: number
  /** Maximum number of other changes by one player in 60 seconds; default 120. */
  readonly writes?: number
}

const LIMITS: NamesOf<BrakeLimits> = { creations: true, joins: true, streams: true, writes: true }

/**
 * Throws `TypeError` for an unknown limit, because a misspelled limit would limit nothing, and for a limit that is not
 * a whole number.
 */
export function requireBrakes(limits: BrakeLimits | undefined): void {
  if (limits === undefined) return
  requireKnownOptions('createApp, brakes', limits, Object.keys(LIMITS))
  for (const [name, limit] of Object.entries(limits)) requireWholeNumber('createApp, brakes', name, limit)
}

/** Operations that `Brakes` does not limit, because games call them often or because they have a limit of their own. */
const FREE: ReadonlySet<Operation> = new Set(['lobbies.heartbeat', 'lobbies.cancelMatchmaking'])
/** Operations that count as creations. A new invite code takes a free code, for a new lobby and for a renewal. */
const MAKES: ReadonlySet<Operation> = new Set(['lobbies.create', 'lobbies.quickJoin', 'lobbies.renewInviteCode'])
const TAKES_A_SEAT: ReadonlySet<Operation> = new Set(['lobbies.join', 'lobbies.joinByCode', 'lobbies.quickJoin'])

/**
 * Returns the limits that count an operation. A quick join is counted under two limits, because it may create a lobby.
 */
export function brakesOn(operation: Operation, method: string): readonly RateRule[] {
  if (operation === 'lobbies.events') return [STREAMS]
  if (method === 'get' || FREE.has(operation)) return []
  const rules = [...(MAKES.has(operation) ? [CREATIONS] : []), ...(TAKES_A_SEAT.has(operation) ? [JOINS] : [])]
  return rules.length > 0 ? rules : [OTHER_WRITES]
}

/**
 * Limits the calls of one player's client, which could flood the service by a bug or on purpose. Calls are counted in
 * this process, by project and player. Calls of backends are not limited. The limits do not stop a caller that invents
 * player ids; against that, a project can require player tokens.
 */
export class Brakes {
  private readonly limiter
  private readonly points: ReadonlyMap<string, number | undefined>

  constructor(limits: BrakeLimits, clock: Clock) {
    this.limiter = memoryRateLimiter(clock)
    this.points = new Map([
      [CREATIONS.name, limits.creations],
      [JOINS.name, limits.joins],
      [STREAMS.name, limits.streams],
      [OTHER_WRITES.name, limits.writes],
    ])
  }

  /** Counts a call, even if the call fails later. Rejects with `RATE_LIMITED` when a limit is exceeded. */
  async pass(
    rules: readonly RateRule[],
    { caller, playerId }: { caller: Caller | undefined; playerId: string | undefined },
    headers: Record<string, string>,
  ): Promise<void> {
    if (caller?.kind !== 'client' || playerId === undefined) return
    const key = `${caller.projectId} ${playerId}`
    for (const rule of rules) {
      const points = this.points.get(rule.name) ?? rule.points
      if (points === 0) continue
      const limit = { ...rule, points }
      const state = await this.limiter.consume(limit, key, caller.projectId)
      if (state.consumed > points) throw rateLimited(limit, state, headers)
    }
  }
}
