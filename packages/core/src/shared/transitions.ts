/** Row of a state table. The status `null` means that the thing does not exist. */
export interface Transition<Status extends string> {
  readonly from: Status | null
  readonly trigger: string
  readonly to: Status | null
  /** Source of the row: a section of the specification, or of docs/http-api.md for cases that the specification leaves open. */
  readonly source: string
}

/** Returns the status after a trigger; undefined when the table has no such row. */
export function next<Status extends string>(
  table: readonly Transition<Status>[],
  from: Status | null,
  trigger: string,
): Status | null | undefined {
  return table.find((row) => row.from === from && row.trigger === trigger)?.to
}

/** Transitions that a state table allows for one kind of thing. */
export interface Life<Status extends string, Trigger extends string> {
  /** Whether the table has a row for the trigger. Deciders call this before `moved`. */
  canMove(thing: { readonly status: Status }, trigger: Trigger): boolean
  /**
   * Returns the thing in its next status. Throws an Error when the table has no such row, or when the row ends the thing. The error means a
   * bug in the caller.
   */
  moved<Thing extends { readonly status: Status }>(thing: Thing, trigger: Trigger): Thing
}

/** Returns the transitions of a table. `noun` names the kind of thing in error messages. */
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
