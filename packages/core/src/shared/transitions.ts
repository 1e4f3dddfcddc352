/** Row of a state table: the status before, the status after, and the trigger. `null` is "does not exist". */
export interface Transition<Status extends string> {
  readonly from: Status | null
  readonly trigger: string
  readonly to: Status | null
  /** Where the row comes from: a section of the specification, or of docs/http-api.md, which fills its holes. */
  readonly source: string
}

/** Where a trigger leads from a status, or undefined when the table has no such row. */
export function next<Status extends string>(
  table: readonly Transition<Status>[],
  from: Status | null,
  trigger: string,
): Status | null | undefined {
  return table.find((row) => row.from === from && row.trigger === trigger)?.to
}

/** How things of one kind go through their statuses: by the rows of their table, or not at all. */
export interface Life<Status extends string, Trigger extends string> {
  /** Whether the table has a row for it; deciders ask this first. */
  canMove(thing: { readonly status: Status }, trigger: Trigger): boolean
  /** The thing in its next status. A missing row, or one that ends the thing, is a bug. */
  moved<Thing extends { readonly status: Status }>(thing: Thing, trigger: Trigger): Thing
}

/** `noun` names the kind in the message of a bug. */
export const lifeOf = <Status extends string, Trigger extends string>(
  noun: string,
  table: readonly (Transition<Status> & { readonly trigger: Trigger })[],
): Life<Status, Trigger> => ({
  canMove: ({ status }, trigger) => next(table, status, trigger) !== undefined,
  moved(thing, trigger) {
    const to = next(table, thing.status, trigger)
    if (to === undefined || to === null) throw new Error(`a ${noun} that is ${thing.status} cannot ${trigger}`)
    return { ...thing, status: to }
  },
})
