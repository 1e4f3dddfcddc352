import type { Service } from '../../node/service'
import type { ChangedAggregate } from '../aggregate'
import type { Draft } from '../draft'

interface Typed {
  readonly type: string
}

/** Consequence of an event of one aggregate for others, in the same commit. */
export interface Consequence<State, Event extends Typed> {
  /** The types of events after which it runs; a change without any of them does not reach it. */
  readonly after: readonly Event['type'][]
  run(ctx: Service, draft: Draft, change: ChangedAggregate<State, Event>): Promise<void>
}

/** Returns a function that runs, one after the other, the consequences that are registered for an event of the change. */
export function registerConsequences<State, Event extends Typed>(
  ...consequences: readonly Consequence<State, Event>[]
): Consequence<State, Event>['run'] {
  const byType = new Map<string, readonly Consequence<State, Event>[]>()
  for (const one of consequences) for (const type of one.after) byType.set(type, [...(byType.get(type) ?? []), one])
  return async (ctx, draft, change) => {
    const due = new Set(change.events.flatMap(({ type }) => byType.get(type) ?? []))
    for (const consequence of due) await consequence.run(ctx, draft, change)
  }
}
