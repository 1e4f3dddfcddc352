import type { CallOptions, Context } from '../context/context'
import { ServiceError } from '../errors/service-error'
import { type CommitConflict, OutcomeUnknown, StorageUnavailable } from '../ports/storage/index'
import type { Draft } from './draft'
import { idempotently } from './idempotency'
import { type Outcome, recordAnswer } from './outcome'

/** How often a use case reads, decides and commits again after losing to another one. */
export const MAX_COMMIT_TRIES = 32

/**
 * Runs one use case: `decide` reads and decides, the commit is applied, and on a lost race everything is read and decided
 * again. Events are told after the commit. Throws what `decide` throws, CONFLICT, UNAVAILABLE.
 */
export function transact<T>(
  ctx: Context,
  call: CallOptions | undefined,
  decide: () => Promise<Outcome<T>>,
): Promise<T> {
  return unavailableInsteadOf(() => idempotently(ctx, call, () => repeat(ctx, call, decide)))
}

async function repeat<T>(ctx: Context, call: CallOptions | undefined, decide: () => Promise<Outcome<T>>): Promise<T> {
  for (let tries = 0; tries < MAX_COMMIT_TRIES; tries++) {
    const outcome = await decide()
    if (call?.idempotency !== undefined) recordAnswer(outcome, call.idempotency)
    if (outcome.draft.isEmpty) return outcome.answer
    const conflict = await apply(ctx, outcome.draft)
    if (conflict === undefined) return outcome.answer
    const refusal = outcome.onConflict?.(conflict)
    if (refusal !== undefined) throw refusal
    ctx.logger.debug('commit conflict', { ...conflict })
  }
  throw new ServiceError('CONFLICT', 'other requests kept changing this at the same time; try again')
}

/** Storage that is down reads as UNAVAILABLE, whatever the call was doing. */
export async function unavailableInsteadOf<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StorageUnavailable || error instanceof OutcomeUnknown) {
      throw new ServiceError('UNAVAILABLE', 'the storage cannot be reached right now; try again shortly', {})
    }
    throw error
  }
}

/** Commits a draft and tells its events; answers what stood in the way, if anything did. */
export async function apply(ctx: Context, draft: Draft): Promise<CommitConflict | undefined> {
  const commit = draft.toCommit(ctx.ids.next('cmt'))
  const result = await commitOnce(ctx, commit)
  if (!result.ok) {
    ctx.onConflict(result.conflict)
    return result.conflict
  }
  for (const event of draft.told) {
    ctx.events.emit(event.type, event as never)
    ctx.events.emit('*', event)
  }
  return undefined
}

/** A lost answer is looked up by the commit's id; applying again is safe because every write expects a version. */
async function commitOnce(ctx: Context, commit: Parameters<Context['storage']['commit']>[0]) {
  try {
    return await ctx.storage.commit(commit)
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error
    ctx.logger.warn('the outcome of a commit is unknown; looking it up', { commit: commit.id })
    if (await ctx.storage.commits.find(commit.id)) return { ok: true } as const
    return ctx.storage.commit(commit)
  }
}
