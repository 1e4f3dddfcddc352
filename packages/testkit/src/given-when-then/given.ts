import type { ErrorCode } from '@matchyard/core'
import type { Decision } from '@matchyard/core/domain'

/** Result of a command. A test reads its fields, or compares the whole result. */
export interface Then<S, E> {
  /** Events of the decision, in order; empty when the command was rejected. */
  readonly events: readonly E[]
  /** The types of the events, in order, with the names of the state tables. */
  readonly happened: readonly string[]
  /** Code of the rejection; undefined when the command was accepted. */
  readonly rejected: ErrorCode | undefined
  /** The state after the events; the given state when the command was rejected. */
  readonly state: S
}

/** State on which a decider runs. */
export interface Given<S, E> {
  /** Runs a decider on the state. */
  when(decide: (state: S) => Decision<E> | readonly E[]): Then<S, E>
}

/**
 * Runs a decider (a function that decides which events a command causes) on a state: `given(lobby, evolve).when((lobby)
 * => enqueueLobby(lobby, …))`. The events in the result have the names of the state table.
 */
export function given<S, E extends { readonly type: string }>(
  state: S,
  evolve: (state: S, event: E) => S,
): Given<S, E> {
  return {
    when(decide) {
      const answer = decide(state)
      const decision: Decision<E> = 'ok' in answer ? answer : { ok: true, events: answer }
      if (!decision.ok) return { events: [], happened: [], rejected: decision.rejected.code, state }
      return {
        events: decision.events,
        happened: decision.events.map((event) => event.type),
        rejected: undefined,
        state: decision.events.reduce(evolve, state),
      }
    },
  }
}
