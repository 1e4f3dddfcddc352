/** Returns the received value frozen, so that no reader can change it for others. */
export function freeze<T>(value: T): T {
  // A text, a number and null are frozen from the beginning.
  if (!Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value as object)) freeze(inner)
  }
  return value
}
