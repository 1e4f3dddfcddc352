/** What came over the wire, so that nobody changes what others look at. */
export function freeze<T>(value: T): T {
  // A text, a number and null are frozen from the beginning.
  if (!Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value as object)) freeze(inner)
  }
  return value
}
