import { ServiceError } from '../errors/service-error'
import { HOUR_MS } from '../shared/time'
import type { CallOptions, Context } from './context'
import { Plan } from './plan'
import { apply, asJson, type Outcome } from './transact'

/** An answer is replayed for 24 hours (contract §1). */
export const IDEMPOTENCY_LIFETIME_MS = 24 * HOUR_MS

/**
 * Answers from the record when this key was used before; else does the work, which records its answer in its own commit.
 * Throws IDEMPOTENCY_MISMATCH for another request under the key, CONFLICT while the first call is under way.
 */
export async function idempotently<T>(
  ctx: Context,
  call: CallOptions | undefined,
  work: () => Promise<T>,
  options: { held?: boolean } = {},
): Promise<T> {
  const key = call?.idempotency
  if (key === undefined) return work()
  if (options.held !== true && ctx.inFlight.has(key.id)) {
    throw new ServiceError('CONFLICT', 'the first call with this idempotency key is still under way; try again shortly')
  }
  if (options.held !== true) ctx.inFlight.add(key.id)
  try {
    const record = await ctx.storage.get('idempotency', key.id)
    if (record === undefined) return await work()
    if (record.expiresAt <= ctx.clock.now()) {
      await apply(ctx, new Plan(ctx.clock.now()).remove('idempotency', record))
      return await work()
    }
    if (record.requestHash !== key.requestHash) {
      throw new ServiceError('IDEMPOTENCY_MISMATCH', 'this idempotency key was used with another body; use a new key')
    }
    return record.answer as T
  } finally {
    if (options.held !== true) ctx.inFlight.delete(key.id)
  }
}

/** Adds the record to the commit of the effect, so that there is never one without the other. */
export function recordAnswer<T>(outcome: Outcome<T>, key: { id: string; requestHash: string }): void {
  const { plan } = outcome
  plan.create('idempotency', {
    id: key.id,
    version: 1,
    requestHash: key.requestHash,
    answer: asJson(outcome.recorded ?? outcome.answer),
    createdAt: plan.at,
    expiresAt: plan.at + IDEMPOTENCY_LIFETIME_MS,
  })
}
