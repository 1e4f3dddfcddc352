/** Freezes a received value and returns it, so that no caller can change it for other callers. */
export function freeze<T>(value: T): T {
  // Strings, numbers and null count as frozen.
  if (!Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value as object)) freeze(inner)
  }
  return value
}
