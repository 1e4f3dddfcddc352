import type { ErrorCode } from '@matchyard/core'
import type { Decision } from '@matchyard/core/domain'

/** What came of a command: read it, or let a test compare it as a whole. */
export interface Then<S, E> {
  readonly events: readonly E[]
  /** The types of the events, in order: what a state table speaks of. */
  readonly happened: readonly string[]
  readonly rejected: ErrorCode | undefined
  /** The state after the events; the one given where the command was rejected. */
  readonly state: S
}

export interface Given<S, E> {
  when(decide: (state: S) => Decision<E> | readonly E[]): Then<S, E>
}

/** `given(lobby, evolve).when((lobby) => enqueueLobby(lobby, …))`: a decider's test, in the words of the state table. */
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
