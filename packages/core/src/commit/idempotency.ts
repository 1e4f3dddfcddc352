import type { CallOptions, Context } from '../context/context'
import { ServiceError } from '../errors/service-error'
import { Draft } from './draft'

type Key = NonNullable<CallOptions['idempotency']>

/**
 * Answers from the record when this key was used before; else does the work, which records its answer in its own commit.
 * Throws IDEMPOTENCY_MISMATCH for another request under the key, CONFLICT while the first call is under way.
 */
export async function idempotently<T>(ctx: Context, call: CallOptions | undefined, work: () => Promise<T>): Promise<T> {
  const key = call?.idempotency
  if (key === undefined) return work()
  if (ctx.inFlight.has(key.id)) {
    throw new ServiceError('CONFLICT', 'the first call with this idempotency key is still under way; try again shortly')
  }
  ctx.inFlight.add(key.id)
  try {
    const known = await recorded<T>(ctx, key)
    return known === undefined ? await firstTime(ctx, key, work) : known.answer
  } finally {
    ctx.inFlight.delete(key.id)
  }
}

/** A refusal may be the shadow of the same call on another node, which has just had its effect: then its answer is this one's too. */
async function firstTime<T>(ctx: Context, key: Key, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const known = error instanceof ServiceError ? await recorded<T>(ctx, key) : undefined
    if (known !== undefined) return known.answer
    throw error
  }
}

/**
 * The recorded answer of a call, for a use case that must look something up before its commit: what the first call found may be
 * gone when it is repeated. Undefined for a first call and for one without a key.
 */
export async function replayed<T>(
  ctx: Context,
  call: CallOptions | undefined,
): Promise<{ readonly answer: T } | undefined> {
  return call?.idempotency === undefined ? undefined : recorded<T>(ctx, call.idempotency)
}

/** Forgets the recorded answer of a call, where it came to be good for nothing: the next call under the key is a first one. */
export async function forgetAnswer(ctx: Context, call: CallOptions | undefined): Promise<void> {
  const key = call?.idempotency
  const record = key && (await ctx.storage.get('idempotency', key.id))
  if (record === undefined) return
  // Another one that does the same is before it or after it.
  await ctx.storage.commit(new Draft(ctx.clock.now()).remove('idempotency', record).toCommit(ctx.ids.next('cmt')))
}

async function recorded<T>(ctx: Context, key: Key): Promise<{ readonly answer: T } | undefined> {
  const record = await ctx.storage.get('idempotency', key.id)
  if (record === undefined) return undefined
  if (record.expiresAt <= ctx.clock.now()) {
    await forgetAnswer(ctx, { idempotency: key })
    return undefined
  }
  if (record.requestHash === key.requestHash) return { answer: record.answer as T }
  throw new ServiceError('IDEMPOTENCY_MISMATCH', 'this idempotency key was used with another body; use a new key')
}
