import type { CallOptions, Context } from '../context/context'
import { orThrow, type ServiceError } from '../errors/service-error'
import type { CommitConflict } from '../ports/storage/index'
import type { Decision } from '../shared/decision'
import type { Instant } from '../shared/time'
import { Draft } from './draft'
import { transact } from './transact'

/**
 * How things of one kind are changed. `State` is what is read, `Target` how it is addressed, `Missing` is `undefined` where a thing
 * that is not there is no error.
 */
export interface Aggregate<State, Event, Target, Missing extends undefined = never> {
  /** Changes of one thing take turns on this node. Efficiency only: versions decide. */
  turn(target: Target): string
  read(ctx: Context, target: Target): Promise<State | Missing>
  /** Puts what the events change into the draft; answers the next state. */
  write(draft: Draft, before: State, events: readonly Event[]): State
  /** What the next state must still keep to. */
  judge?(after: State, target: Target): Decision<never>
  /** What follows for other things, in the same commit. */
  carry?(ctx: Context, draft: Draft, change: Changed<State, Event>): Promise<void>
  /** After the commit. */
  settle?(ctx: Context, target: Target, change: Changed<State, Event>): Promise<void>
}

export interface Changed<State, Event> {
  readonly before: State
  readonly events: readonly Event[]
  readonly after: State
}

export interface ChangeOptions<State, Event, Answer> {
  readonly call?: CallOptions | undefined
  /** What the caller is answered, and what is kept for a repeated call, where it is not the thing itself. */
  readonly answer?: (after: State, at: Instant) => Answer
  /** Turns a conflict into a refusal, for what another try cannot mend. */
  readonly onConflict?: (conflict: CommitConflict) => ServiceError | undefined
  /** What is decided of a thing that is not there; left out, nothing happens. */
  readonly missing?: () => Decision<Event>
}

/** What a decider may use beside the state: the instant, and the draft to add checks to. */
export type Decide<State, Event> = (before: State, draft: Draft) => Decision<Event> | Promise<Decision<Event>>

/**
 * The way of every change of one thing: read, decide, commit with the version that was read, again on a lost race; what follows
 * for others is in the same commit. Answers the thing as the commit left it, undefined where there is none.
 */
export async function change<State extends object, Event, Target, Missing extends undefined = never, Answer = State>(
  ctx: Context,
  of: Aggregate<State, Event, Target, Missing>,
  target: Target,
  decide: Decide<State, Event>,
  options: ChangeOptions<State, Event, Answer> = {},
): Promise<Answer | Missing> {
  let changed: Changed<State, Event> | undefined
  const { call, onConflict, missing, answer } = options
  const answered = await ctx.turns.run(of.turn(target), () =>
    transact<Answer | Missing>(ctx, call, async () => {
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
      const outcome = { draft, answer: answer === undefined ? (after as unknown as Answer) : answer(after, draft.at) }
      return onConflict === undefined ? outcome : { ...outcome, onConflict }
    }),
  )
  // A repeated call is answered from its record: nothing was changed by it. What settles is answered as it is.
  const replayed = answered as unknown as State
  await of.settle?.(ctx, target, changed ?? { before: replayed, events: [], after: replayed })
  return answered
}
