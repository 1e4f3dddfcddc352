import type { Caller } from '@matchyard/core'
import { type Clock, type NamesOf, requireKnownOptions, requireWholeNumber } from '@matchyard/core/ports'
import type { Operation } from '../operations'
import { rateLimited } from './limit-headers'
import { memoryRateLimiter, type RateRule } from './rate-limiter'

const SECOND = 1_000

/** Default limits for one player on one process (docs/http-api.md §6). */
const CREATIONS: RateRule = { name: 'creations', points: 10, windowMs: 10 * SECOND }
const JOINS: RateRule = { name: 'joins', points: 20, windowMs: 10 * SECOND }
const STREAMS: RateRule = { name: 'streams', points: 60, windowMs: 10 * SECOND }
const OTHER_WRITES: RateRule = { name: 'writes', points: 120, windowMs: 60 * SECOND }

/** Rate limits on this process for one player's calls with a client key; 0 means no limit. */
export interface BrakeLimits {
  /** Maximum number of created lobbies and renewed invite codes in 10 seconds; default 10. */
  readonly creations?: number
  /** Maximum number of joined lobbies in 10 seconds; default 20. */
  readonly joins?: number
  /** Maximum number of opened event streams of lobbies in 10 seconds; default 60. */
  readonly streams?: number
  /** Maximum number of other changes in 60 seconds; default 120. */
  readonly writes?: number
}

const LIMITS: NamesOf<BrakeLimits> = { creations: true, joins: true, streams: true, writes: true }

/**
 * Throws `TypeError` for an unknown limit, and for a limit that is not a whole number. A misspelled limit would
 * otherwise limit nothing.
 */
export function requireBrakes(limits: BrakeLimits | undefined): void {
  if (limits === undefined) return
  requireKnownOptions('createApp, brakes', limits, Object.keys(LIMITS))
  for (const [name, limit] of Object.entries(limits)) requireWholeNumber('createApp, brakes', name, limit)
}

/** Operations that are not limited here: they are frequent by design, or have a limit of their own. */
const FREE: ReadonlySet<Operation> = new Set(['lobbies.heartbeat', 'lobbies.cancelMatchmaking'])
/** Operations that count as creations. A renewed invite code uses up a free code, as a new lobby does. */
const MAKES: ReadonlySet<Operation> = new Set(['lobbies.create', 'lobbies.quickJoin', 'lobbies.renewInviteCode'])
const TAKES_A_SEAT: ReadonlySet<Operation> = new Set(['lobbies.join', 'lobbies.joinByCode', 'lobbies.quickJoin'])

/**
 * Returns the limits under which an operation is counted. A quick join is counted under two limits, because it may
 * create a lobby.
 */
export function brakesOn(operation: Operation, method: string): readonly RateRule[] {
  if (operation === 'lobbies.events') return [STREAMS]
  if (method === 'get' || FREE.has(operation)) return []
  const rules = [...(MAKES.has(operation) ? [CREATIONS] : []), ...(TAKES_A_SEAT.has(operation) ? [JOINS] : [])]
  return rules.length > 0 ? rules : [OTHER_WRITES]
}

/**
 * Limits the calls of one player's client, which might flood the service by a bug or on purpose. Calls are counted in
 * this process, by project and player; backends are not limited. The limits do not protect against a caller that
 * invents players. For that, a project can require proof of the players' identity.
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
