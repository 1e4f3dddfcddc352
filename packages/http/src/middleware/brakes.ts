import type { Caller } from '@matchyard/core'
import { type Clock, type NamesOf, requireKnownOptions, requireWholeNumber } from '@matchyard/core/ports'
import type { Operation } from '../operations'
import { rateLimited } from './limit-headers'
import { memoryRateLimiter, type RateRule } from './rate-limiter'

const SECOND = 1_000

/** Default limits of one player on one process (docs/http-api.md §6). */
const CREATIONS: RateRule = { name: 'creations', points: 10, windowMs: 10 * SECOND }
const JOINS: RateRule = { name: 'joins', points: 20, windowMs: 10 * SECOND }
const STREAMS: RateRule = { name: 'streams', points: 60, windowMs: 10 * SECOND }
const OTHER_WRITES: RateRule = { name: 'writes', points: 120, windowMs: 60 * SECOND }

/** How much one player may do with a client key on this process; 0 is no limit. */
export interface BrakeLimits {
  /** Lobbies made and invite codes drawn anew, in ten seconds; default 10. */
  readonly creations?: number
  /** Lobbies joined, in ten seconds; default 20. */
  readonly joins?: number
  /** Event streams of lobbies opened, in ten seconds; default 60. */
  readonly streams?: number
  /** Everything else that changes something, in a minute; default 120. */
  readonly writes?: number
}

const LIMITS: NamesOf<BrakeLimits> = { creations: true, joins: true, streams: true, writes: true }

/** Throws TypeError for a limit that nobody knows, and for one that is no whole number: a brake that was misspelled brakes nobody. */
export function requireBrakes(limits: BrakeLimits | undefined): void {
  if (limits === undefined) return
  requireKnownOptions('createApp, brakes', limits, Object.keys(LIMITS))
  for (const [name, limit] of Object.entries(limits)) requireWholeNumber('createApp, brakes', name, limit)
}

/** Operations that are frequent by design, or have a limit of their own. */
const FREE: ReadonlySet<Operation> = new Set(['lobbies.heartbeat', 'lobbies.cancelMatchmaking'])
/** A new invite code takes one from those that are free, as a new lobby does. */
const MAKES: ReadonlySet<Operation> = new Set(['lobbies.create', 'lobbies.quickJoin', 'lobbies.renewInviteCode'])
const TAKES_A_SEAT: ReadonlySet<Operation> = new Set(['lobbies.join', 'lobbies.joinByCode', 'lobbies.quickJoin'])

/** Which limits an operation counts for; a quick join for both, since it may make a lobby. */
export function brakesOn(operation: Operation, method: string): readonly RateRule[] {
  if (operation === 'lobbies.events') return [STREAMS]
  if (method === 'get' || FREE.has(operation)) return []
  const rules = [...(MAKES.has(operation) ? [CREATIONS] : []), ...(TAKES_A_SEAT.has(operation) ? [JOINS] : [])]
  return rules.length > 0 ? rules : [OTHER_WRITES]
}

/**
 * Keeps one player's client from flooding the service, whatever the reason. Counted in this process, by project and player; backends
 * are not braked. It is no protection against somebody who invents players: a project may ask them for proof.
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

  /** Counts a call, whatever becomes of it. Throws RATE_LIMITED. */
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
