import { orThrow, ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { type CommitConflict, OutcomeUnknown, StorageUnavailable } from '../ports/storage/index'
import type { Aggregate, ChangedAggregate, ChangeOptions, Decide } from './aggregate'
import { recordArrivals } from './arrivals'
import { recordAudit } from './audit'
import type { CallOptions } from './call-options'
import { Draft } from './draft'
import { idempotently } from './idempotency'
import { outgoingOf } from './outbox'
import { type Again, keptAnswer, type Outcome, recordAnswer } from './outcome'
import { tellSpans } from './spans'

/** Maximum number of attempts of a use case. After a conflict with another commit, the use case reads, decides and commits again. */
export const MAX_COMMIT_TRIES = 32
/** Maximum number of attempts when many callers change one aggregate at the same time. Real workloads need far fewer attempts. */
export const MAX_CONTENDED_TRIES = 1_000

interface Thing {
  readonly id: string
}

/**
 * Changes one aggregate: reads it, decides, and commits with the version that was read. After a conflict it starts again. Effects on other
 * aggregates are part of the same commit. Returns the aggregate in its state after the commit; undefined when the aggregate does not exist.
 */
export async function change<State extends Thing, Event, Target, Missing extends undefined = never, Answer = State>(
  ctx: Service,
  of: Aggregate<State, Event, Target, Missing>,
  target: Target,
  decide: Decide<State, Event>,
  options: ChangeOptions<State, Event, Answer> = {},
): Promise<Answer | Missing> {
  let changed: ChangedAggregate<State, Event> | undefined
  const { call, onConflict, missing, answer, recorded } = options
  const decideOnce = async (): Promise<Outcome<Answer | Missing>> => {
    const before = await of.read(ctx, target)
    const draft = new Draft(ctx.clock.now())
    if (before === undefined) {
      if (missing !== undefined) orThrow(missing())
      return { draft, answer: before as Missing }
    }
    const events = orThrow(await decide(before, draft))
    const after = of.write(draft, before, events)
    changed = { before, events, after }
    if (of.judge !== undefined) orThrow(of.judge(after, target))
    await of.carry?.(ctx, draft, changed)
    const made = answer === undefined ? (seenBy(of, after, target) as unknown as Answer) : answer(after, draft.at)
    return {
      draft,
      answer: made,
      about: { id: after.id },
      isContended: of.isContended?.(before) ?? false,
      ...(recorded === undefined || call?.idempotency === undefined ? {} : { recorded: recorded(made) }),
      ...(onConflict === undefined ? {} : { onConflict }),
    }
  }
  const again = () => answerNow(ctx, of, target, answer)
  const answered = await ctx.node.turns.run(of.turn(target), () => transact(ctx, call, decideOnce, again))
  // A repeated call changed nothing, and its result is the stored answer. If the answer is the aggregate itself, `settle` runs without
  // events.
  if (changed === undefined && answer !== undefined) return answered
  const replayed = answered as unknown as State
  await of.settle?.(ctx, target, changed ?? { before: replayed, events: [], after: replayed })
  return answered
}

/** Returns the current state as the answer of a repeated call, when the first answer was too long to be stored. */
async function answerNow<State extends Thing, Event, Target, Missing extends undefined, Answer>(
  ctx: Service,
  of: Aggregate<State, Event, Target, Missing>,
  target: Target,
  answer: ChangeOptions<State, Event, Answer>['answer'],
): Promise<Answer | Missing> {
  const now = await of.read(ctx, target)
  if (now === undefined) return now as Missing
  return answer === undefined ? (seenBy(of, now, target) as unknown as Answer) : answer(now, ctx.clock.now())
}

const seenBy = <State, Event, Target, Missing extends undefined>(
  of: Aggregate<State, Event, Target, Missing>,
  state: State,
  target: Target,
): State => of.seen?.(state, target) ?? state

/**
 * Runs one use case: `decide` reads and decides, then its draft is committed. After a conflict with another commit, `decide` runs again.
 * Domain events are emitted after the commit. `again` makes the answer of a repeated call whose first answer was too long to be stored; it
 * is required when outcomes have `about`. Throws the errors of `decide` and `again`, CONFLICT, UNAVAILABLE.
 */
export function transact<T>(
  ctx: Service,
  call: CallOptions | undefined,
  decide: () => Promise<Outcome<T>>,
  again?: Again<T>,
): Promise<T> {
  return unavailableInsteadOf(() => idempotently(ctx, call, () => repeat(ctx, call, decide), again))
}

async function repeat<T>(ctx: Service, call: CallOptions | undefined, decide: () => Promise<Outcome<T>>): Promise<T> {
  let most = MAX_COMMIT_TRIES
  for (let tries = 0; tries < most; tries++) {
    const outcome = await decide()
    if (outcome.isContended) most = MAX_CONTENDED_TRIES
    recordAudit(ctx, outcome.draft, call)
    if (call?.idempotency !== undefined) recordAnswer(outcome.draft, call.idempotency, keptAnswer(outcome))
    if (outcome.draft.isEmpty) return outcome.answer
    const conflict = await apply(ctx, outcome.draft.partOf(call?.trace))
    if (conflict === undefined) return outcome.answer
    const refusal = await outcome.onConflict?.(conflict)
    if (refusal !== undefined) throw refusal
    ctx.logger.debug('commit conflict', { ...conflict })
  }
  throw new ServiceError('CONFLICT', 'other requests kept changing the same data; try again')
}

/** Runs the work. Throws UNAVAILABLE when the storage fails during the work. */
export async function unavailableInsteadOf<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StorageUnavailable || error instanceof OutcomeUnknown) {
      throw new ServiceError('UNAVAILABLE', 'the storage cannot be reached now; try again shortly', {})
    }
    throw error
  }
}

/**
 * Commits a draft with its webhook messages, then emits its domain events. Returns the conflict when the commit was refused; undefined
 * after success.
 */
export async function apply(ctx: Service, draft: Draft): Promise<CommitConflict | undefined> {
  if (draft.ended.length > 0) await recordArrivals(ctx, draft)
  const conflict = await commitWithMessages(ctx, draft)
  if (conflict !== undefined) return conflict
  for (const event of draft.told) {
    ctx.node.events.emit(event.type, event as never)
    ctx.node.events.emit('*', event)
  }
  return undefined
}

async function commitWithMessages(ctx: Ports, draft: Draft): Promise<CommitConflict | undefined> {
  for (let tries = 1; ; tries++) {
    const outgoing = await outgoingOf(ctx, draft)
    const result = await commitOnce(ctx, draft.toCommitWith(ctx.ids.next('cmt'), outgoing))
    if (result.ok) return tellSpans(ctx, draft)
    const { conflict } = result
    ctx.onConflict(conflict)
    // Only the webhooks of a project changed meanwhile. The decision is still valid, so only the webhook messages are made again.
    const isOfMessages = outgoing?.expects(conflict.kind, conflict.id) === true
    if (!isOfMessages || draft.expects(conflict.kind, conflict.id) || tries === MAX_COMMIT_TRIES) return conflict
  }
}

/**
 * Commits. When the result of the commit is unknown, finds out by the commit's id. Applying the same commit again is safe, because every
 * write expects a version.
 */
async function commitOnce(ctx: Ports, commit: Parameters<Service['storage']['commit']>[0]) {
  try {
    return await ctx.storage.commit(commit)
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error
    ctx.logger.warn('the outcome of a commit is unknown; looking it up', { commit: commit.id })
    if (await ctx.storage.commits.find(commit.id)) return { ok: true } as const
    return ctx.storage.commit(commit)
  }
}
