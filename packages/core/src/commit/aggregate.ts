import type { Decision } from '../errors/decision'
import type { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { CommitConflict } from '../ports/storage/index'
import type { Instant } from '../shared/time'
import type { CallOptions } from './call-options'
import type { Draft } from './draft'

/**
 * The way in which aggregates of one kind are changed. `State`: the aggregate. `Target`: its address. `Missing`: `undefined` when a missing
 * aggregate is no error.
 */
export interface Aggregate<State, Event, Target, Missing extends undefined = never> {
  /**
   * Returns the key of the turn: changes with the same key run one by one on this node. Turns only prevent conflicts; the versions of the
   * rows ensure correctness.
   */
  turn(target: Target): string
  read(ctx: Service, target: Target): Promise<State | Missing>
  /** Adds the changes of the events to the draft. Returns the next state. */
  write(draft: Draft, before: State, events: readonly Event[]): State
  /** Whether many callers change the aggregate at once, so that a change may need more than the usual tries. */
  isContended?(before: State): boolean
  /** Checks the next state, and may reject it. */
  judge?(after: State, target: Target): Decision<never>
  /** Applies the consequences for other aggregates in the same commit. */
  carry?(ctx: Service, draft: Draft, change: ChangedAggregate<State, Event>): Promise<void>
  /** Returns the present state as this caller may see it, for a repeated call; absent when all callers see the same. */
  seen?(now: State, target: Target): State
  /** Runs after the commit. */
  settle?(ctx: Service, target: Target, change: ChangedAggregate<State, Event>): Promise<void>
}

export interface ChangedAggregate<State, Event> {
  readonly before: State
  readonly events: readonly Event[]
  readonly after: State
}

export interface ChangeOptions<State, Event, Answer> {
  readonly call?: CallOptions | undefined
  /** Returns the answer for the caller, and for a repeated call; absent when the answer is the aggregate itself. */
  readonly answer?: (after: State, at: Instant) => Answer
  /** Returns the answer as it is stored for a repeated call, when a part of it suffices. */
  readonly recorded?: (answer: Answer) => Answer
  /** Returns the error for a conflict that another try cannot solve; undefined to try again. */
  readonly onConflict?: (conflict: CommitConflict) => ServiceError | undefined
  /** Returns the decision for a missing aggregate. Absent: nothing happens. */
  readonly missing?: () => Decision<Event>
}

/** Decider. The draft gives it the instant, and takes additional checks. */
export type Decide<State, Event> = (before: State, draft: Draft) => Decision<Event> | Promise<Decision<Event>>
