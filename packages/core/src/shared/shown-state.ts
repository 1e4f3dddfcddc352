import type { JsonObject } from './json'

/** Returns the state of a player without its private fields. */
export const shownState = ({
  state,
  hidden = [],
}: {
  readonly state: JsonObject
  readonly hidden?: readonly string[]
}): JsonObject =>
  hidden.length === 0 ? state : Object.fromEntries(Object.entries(state).filter(([field]) => !hidden.includes(field)))
