import type { Caller } from '@matchyard/core'
import type { Operation } from '../operations'
import { rateLimited } from './limit-headers'
import type { RateLimiter, RateRule } from './rate-limiter'

const MINUTE = 60_000

/**
 * Maximum calls per minute of operations that cause work outside the service. They send to addresses that users name,
 * fetch from such addresses, start processes, read and write files of processes, or call a payment processor. The table
 * also has operations that create rows without another limit. Calls with a key are counted for its project, calls with
 * a session for its account, and calls of an agent for its machine.
 */
export const WORK_PER_MINUTE: Partial<Record<Operation, number>> = {
  'webhooks.test': 10,
  'webhooks.redeliver': 30,
  'webhooks.create': 30,
  'webhooks.update': 60,
  'webhooks.rotateSecret': 30,
  'projects.create': 30,
  'projects.setPlayerAuth': 30,
  'members.invite': 60,
  'keys.mint': 60,
  'secondFactor.begin': 10,
  'secondFactor.activate': 30,
  'secondFactor.remove': 30,
  'machines.mintToken': 60,
  'billing.upgrade': 10,
  'billing.downgrade': 10,
  'billing.replacePaymentMethod': 10,
  'builds.createUpload': 30,
  'builds.registerImage': 10,
  'builds.stop': 30,
  'servers.create': 300,
  'servers.restart': 60,
  'servers.logs': 300,
  'builds.logs': 300,
  'players.erase': 300,
  'machine.wanted': 120,
  'machine.build': 600,
  'machine.archive': 600,
}

/** Returns the limit of an operation; undefined if the table has none. */
export function workRuleOf(operation: Operation): RateRule | undefined {
  const points = WORK_PER_MINUTE[operation]
  return points === undefined ? undefined : { name: operation, points, windowMs: MINUTE }
}

/**
 * Counts a call of such an operation, even if the call fails later. Rejects with `RATE_LIMITED` when the limit is
 * exceeded.
 */
export async function limitWork(
  limiter: RateLimiter,
  rule: RateRule,
  caller: Caller | undefined,
  headers: Record<string, string>,
): Promise<void> {
  if (caller === undefined) return
  const key = workerOf(caller)
  const state = await limiter.consume(rule, key)
  if (state.consumed > rule.points) throw rateLimited(rule, state, headers)
}

function workerOf(caller: Caller): string {
  if (caller.kind === 'machine') return caller.machineId
  return caller.kind === 'session' ? caller.accountId : caller.projectId
}
