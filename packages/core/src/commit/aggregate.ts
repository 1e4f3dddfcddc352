import type { Decision } from '../errors/decision'
import type { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { CommitConflict } from '../ports/storage/index'
import type { Instant } from '../shared/time'
import type { CallOptions } from './call-options'
import type { Draft } from './draft'

/**
 * How things of one kind are changed. `State` is what is read, `Target` how it is addressed, `Missing` is `undefined` where a thing
 * that is not there is no error.
 */
export interface Aggregate<State, Event, Target, Missing extends undefined = never> {
  /** Changes of one thing take turns on this node. Efficiency only: versions decide. */
  turn(target: Target): string
  read(ctx: Service, target: Target): Promise<State | Missing>
  /** Puts what the events change into the draft; answers the next state. */
  write(draft: Draft, before: State, events: readonly Event[]): State
  /** Whether so many change it at once that a change may lose more often than others do, each loss being somebody's gain. */
  isContended?(before: State): boolean
  /** Judges the next state. */
  judge?(after: State, target: Target): Decision<never>
  /** Applies the consequences for other aggregates in the same commit. */
  carry?(ctx: Service, draft: Draft, change: ChangedAggregate<State, Event>): Promise<void>
  /** Returns the present state as the caller may see it, for a repeated call; absent where all callers see the same. */
  seen?(now: State, target: Target): State
  /** After the commit. */
  settle?(ctx: Service, target: Target, change: ChangedAggregate<State, Event>): Promise<void>
}

export interface ChangedAggregate<State, Event> {
  readonly before: State
  readonly events: readonly Event[]
  readonly after: State
}

export interface ChangeOptions<State, Event, Answer> {
  readonly call?: CallOptions | undefined
  /** Returns the answer to the caller, which a repeated call gets too; absent where the answer is the aggregate itself. */
  readonly answer?: (after: State, at: Instant) => Answer
  /** The answer as it is kept for a repeated call, where less of it will do. */
  readonly recorded?: (answer: Answer) => Answer
  /** Turns a conflict into a refusal, for what another try cannot mend. */
  readonly onConflict?: (conflict: CommitConflict) => ServiceError | undefined
  /** Decision for a missing aggregate; absent: nothing happens. */
  readonly missing?: () => Decision<Event>
}

/** A decider with the draft, for its instant and for additional checks. */
export type Decide<State, Event> = (before: State, draft: Draft) => Decision<Event> | Promise<Decision<Event>>
