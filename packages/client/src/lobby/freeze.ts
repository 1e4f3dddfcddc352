/** Returns the received value frozen, so that no reader can change it for others. */
export function freeze<T>(value: T): T {
  // Texts, numbers and null count as frozen.
  if (!Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value as object)) freeze(inner)
  }
  return value
}
