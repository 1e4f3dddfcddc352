import type { Service } from '../../node/service'
import type { ChangedAggregate } from '../aggregate'
import type { Draft } from '../draft'

interface Typed {
  readonly type: string
}

/** Effect of the events of one aggregate on other aggregates, in the same commit. */
export interface Consequence<State, Event extends Typed> {
  /** Types of events that cause the effect. */
  readonly after: readonly Event['type'][]
  run(ctx: Service, draft: Draft, change: ChangedAggregate<State, Event>): Promise<void>
}

/** Returns a function that runs the consequences of a change's events, one after the other. Each consequence runs at most once. */
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
