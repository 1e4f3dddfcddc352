import { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import type { CallOptions } from './call-options'
import { Draft } from './draft'
import type { Again } from './outcome'

type Keyed = CallOptions & { readonly idempotency: NonNullable<CallOptions['idempotency']> }

const isKeyed = (call: CallOptions | undefined): call is Keyed => call?.idempotency !== undefined

/**
 * Returns the stored answer when this idempotency key was used before. Otherwise runs the work, whose commit stores its answer. `again`
 * makes the answer of a repeated call whose first answer was too long to be stored. Throws IDEMPOTENCY_MISMATCH for another request with
 * the same key, CONFLICT while the first call is running, and the errors of `again`.
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
 * Runs the work of a first call. After an error, looks for a stored answer once more, because the same call may have succeeded on another
 * node meanwhile. If there is a stored answer, returns that answer instead of the error.
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
 * Returns the stored answer of a repeated call; undefined for a first call and for a call without a key. Use cases that read rows before
 * their commit call it first, because these rows may no longer exist when the call is repeated.
 */
export async function replayed<T>(
  ctx: Ports,
  call: CallOptions | undefined,
  again?: Again<T>,
): Promise<{ readonly answer: T } | undefined> {
  return isKeyed(call) ? recorded(ctx, call, again) : undefined
}

/** Deletes the stored answer of a call when the answer can no longer be used. The next call with the same key counts as a first call. */
export async function forgetAnswer(ctx: Ports, call: CallOptions | undefined): Promise<void> {
  const key = call?.idempotency
  const record = key && (await ctx.storage.get('idempotency', key.id))
  if (record === undefined) return
  // When another call deletes the record at the same time, the order of the two deletions does not matter.
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
