import { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import type { CallOptions } from './call-options'
import { Draft } from './draft'
import type { Again } from './outcome'

type Keyed = CallOptions & { readonly idempotency: NonNullable<CallOptions['idempotency']> }

const isKeyed = (call: CallOptions | undefined): call is Keyed => call?.idempotency !== undefined

/**
 * Returns the recorded answer when this key was used before; else runs the work, whose commit records the answer. `again` makes an answer
 * that was too long to be stored. Throws IDEMPOTENCY_MISMATCH for another request with the same key, CONFLICT while the first call is
 * running, and the errors of `again`.
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
    throw new ServiceError(
      'CONFLICT',
      'the first request with this idempotency key is still in progress; try again shortly',
    )
  }
  ctx.node.inFlight.add(key.id)
  try {
    const known = await recorded(ctx, call, again)
    return known === undefined ? await firstTime(ctx, call, work, again) : known.answer
  } finally {
    ctx.node.inFlight.delete(key.id)
  }
}

/**
 * Runs the work. After an error it looks for a recorded answer once more, because the same call may have succeeded on another node
 * meanwhile; then it returns that answer.
 */
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
 * Returns the recorded answer of a repeated call; undefined for a first call and for a call without a key. It is for use cases that read
 * before their commit: when the call is repeated, the rows that it read may be gone.
 */
export async function replayed<T>(
  ctx: Ports,
  call: CallOptions | undefined,
  again?: Again<T>,
): Promise<{ readonly answer: T } | undefined> {
  return isKeyed(call) ? recorded(ctx, call, again) : undefined
}

/** Deletes the recorded answer of a call when it has become useless. The next call with the key counts as a first call. */
export async function forgetAnswer(ctx: Ports, call: CallOptions | undefined): Promise<void> {
  const key = call?.idempotency
  const record = key && (await ctx.storage.get('idempotency', key.id))
  if (record === undefined) return
  // A concurrent deletion of the record commits either before or after this one; both orders are correct.
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
    throw new ServiceError(
      'IDEMPOTENCY_MISMATCH',
      'this idempotency key was already used with a different request; use a new key',
    )
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
