import { ServiceError } from '../errors/service-error'
import { type CommitConflict, OutcomeUnknown, StorageUnavailable } from '../ports/storage/index'
import type { JsonValue } from '../shared/json'
import type { CallOptions, Context } from './context'
import { idempotently, recordAnswer } from './idempotency'
import type { Plan } from './plan'

/** How often a use case reads, decides and commits again after losing to another one. */
export const MAX_COMMIT_TRIES = 32

/** What a use case decided in one try: the commit as a value, and what the caller is answered once it holds. */
export interface Outcome<T> {
  readonly plan: Plan
  readonly answer: T
  /** The answer as it is kept for a repeated call; left out where they are the same. Secrets never go in. */
  readonly recorded?: T
  /** Turns a conflict that another try cannot mend (a unique key, a limit) into the refusal it means. */
  readonly onConflict?: (conflict: CommitConflict) => ServiceError | undefined
}

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
    if (outcome.plan.isEmpty) return outcome.answer
    const conflict = await apply(ctx, outcome.plan)
    if (conflict === undefined) return outcome.answer
    const refusal = outcome.onConflict?.(conflict)
    if (refusal !== undefined) throw refusal
    // Another call with the same idempotency key was faster, perhaps on another node.
    if (conflict.kind === 'idempotency')
      return idempotently(ctx, call, () => Promise.reject(lost(conflict)), { held: true })
    ctx.logger.debug('commit conflict', { ...conflict })
  }
  throw new ServiceError('CONFLICT', 'other requests kept changing this at the same time; try again')
}

const lost = (conflict: CommitConflict) =>
  new ServiceError('CONFLICT', `the commit lost to another one on ${conflict.id}`)

/** Commits a plan and tells its events; answers what stood in the way, if anything did. */
export async function apply(ctx: Context, plan: Plan): Promise<CommitConflict | undefined> {
  const commit = plan.toCommit(ctx.ids.next('cmt'))
  const result = await commitOnce(ctx, commit)
  if (!result.ok) {
    ctx.onConflict?.(result.conflict)
    return result.conflict
  }
  for (const event of plan.told) tell(ctx, event)
  return undefined
}

function tell(ctx: Context, event: Plan['told'][number]): void {
  try {
    ctx.events.emit(event.type, event as never)
    ctx.events.emit('*', event)
  } catch (error) {
    // A listener's fault is the listener's: the commit holds and the caller must be told so.
    ctx.logger.error('a listener threw', { event: event.type, error: String(error) })
  }
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

/** For answers that are kept: plain JSON in, plain JSON out. */
export const asJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null)) as JsonValue
