import { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import type { CallOptions } from './call-options'
import { Draft } from './draft'
import type { Again } from './outcome'

type Keyed = CallOptions & { readonly idempotency: NonNullable<CallOptions['idempotency']> }

const isKeyed = (call: CallOptions | undefined): call is Keyed => call?.idempotency !== undefined

/**
 * Returns the recorded answer when this key was used before; else does the work, which records its answer in its own commit. `again` makes an
 * answer that was too long to be stored. Throws IDEMPOTENCY_MISMATCH for another request under the key, CONFLICT while the first call is under
 * way, and the errors of `again`.
 */
export async function idempotently<T>(
  ctx: Service,
  call: CallOptions | undefined,
  work: () => Promise<T>,
  again?: Again<T>,
): Promise<T> {
  if (!isKeyed(call)) return work()
  const key = call.idempotency
  if (ctx.node.inFlight.has(key.id)) {
    throw new ServiceError('CONFLICT', 'the first call with this idempotency key is still under way; try again shortly')
  }
  ctx.node.inFlight.add(key.id)
  try {
    const known = await recorded(ctx, call, again)
    return known === undefined ? await firstTime(ctx, call, work, again) : known.answer
  } finally {
    ctx.node.inFlight.delete(key.id)
  }
}

/** A refusal may be the shadow of the same call on another node, which has just had its effect: then its answer is this one's too. */
async function firstTime<T>(ctx: Ports, call: Keyed, work: () => Promise<T>, again?: Again<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const known = error instanceof ServiceError ? await recorded(ctx, call, again) : undefined
    if (known !== undefined) return known.answer
    throw error
  }
}

/**
 * The recorded answer of a call, for a use case that reads before its commit: the rows that the first call read may be gone when it is
 * repeated. Undefined for a first call and for one without a key.
 */
export async function replayed<T>(
  ctx: Ports,
  call: CallOptions | undefined,
  again?: Again<T>,
): Promise<{ readonly answer: T } | undefined> {
  return isKeyed(call) ? recorded(ctx, call, again) : undefined
}

/** Forgets the recorded answer of a call, where it came to be good for nothing: the next call under the key is a first one. */
export async function forgetAnswer(ctx: Ports, call: CallOptions | undefined): Promise<void> {
  const key = call?.idempotency
  const record = key && (await ctx.storage.get('idempotency', key.id))
  if (record === undefined) return
  // A concurrent release of the record commits either before or after this one.
  await ctx.storage.commit(new Draft(ctx.clock.now()).remove('idempotency', record).toCommit(ctx.ids.next('cmt')))
}

async function recorded<T>(ctx: Ports, call: Keyed, again?: Again<T>): Promise<{ readonly answer: T } | undefined> {
  const { idempotency: key, onReplay } = call
  const record = await ctx.storage.get('idempotency', key.id)
  if (record === undefined) return undefined
  if (record.expiresAt <= ctx.clock.now()) {
    await forgetAnswer(ctx, call)
    return undefined
  }
  if (record.requestHash !== key.requestHash) {
    throw new ServiceError('IDEMPOTENCY_MISMATCH', 'this idempotency key was used with another body; use a new key')
  }
  const { answer, about } = record
  if (about === undefined || again === undefined) {
    onReplay?.('recorded')
    return { answer: answer as T }
  }
  const current = await again({ id: about, rest: answer })
  onReplay?.('current')
  return { answer: current }
}
