import type { Decision } from '../errors/decision'
import type { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { CommitConflict } from '../ports/storage/index'
import type { Instant } from '../shared/time'
import type { CallOptions } from './call-options'
import type { Draft } from './draft'

/**
 * Functions by which aggregates of one kind are changed. Type parameters: `State` is the aggregate; `Target` is its address; `Missing` is
 * `undefined` when a missing aggregate is no error.
 */
export interface Aggregate<State, Event, Target, Missing extends undefined = never> {
  /**
   * Returns a key. Changes with the same key run one after another on this node, which only prevents conflicts; the versions of the rows
   * guarantee correctness.
   */
  turn(target: Target): string
  read(ctx: Service, target: Target): Promise<State | Missing>
  /** Adds the changes that the events make to the draft. Returns the next state. */
  write(draft: Draft, before: State, events: readonly Event[]): State
  /** Whether many callers change the aggregate at the same time. A change may then need more attempts than usual. */
  isContended?(before: State): boolean
  /** Decides whether the next state is allowed; returns a rejection if it is not. */
  judge?(after: State, target: Target): Decision<never>
  /** Adds the effects on other aggregates to the same draft. */
  carry?(ctx: Service, draft: Draft, change: ChangedAggregate<State, Event>): Promise<void>
  /** Returns the current state in the form that this caller may see, for a repeated call. Absent when all callers see the same state. */
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
  /** Returns the answer for the caller, also for a repeated call. Absent when the aggregate itself is the answer. */
  readonly answer?: (after: State, at: Instant) => Answer
  /** Returns the part of the answer that is stored for a repeated call. Absent when the whole answer is stored. */
  readonly recorded?: (answer: Answer) => Answer
  /** Returns the error for a conflict that another attempt cannot solve; undefined when another attempt may succeed. */
  readonly onConflict?: (conflict: CommitConflict) => ServiceError | undefined
  /** Returns the decision for a missing aggregate. Absent: nothing happens. */
  readonly missing?: () => Decision<Event>
}

/** Function that decides on a change and returns its events. The draft gives it the instant, and receives additional checks. */
export type Decide<State, Event> = (before: State, draft: Draft) => Decision<Event> | Promise<Decision<Event>>
