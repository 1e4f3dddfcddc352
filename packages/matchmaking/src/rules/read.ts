import type { ConfigIssue } from '../types'

type State = Readonly<Record<string, unknown>>

/**
 * Returns the value of a player's state under a key of the state itself, never of its prototype; undefined for an
 * absent key and for null.
 */
export const own = (state: State, field: string): unknown => {
  const value = state[field]
  if (value === undefined || value === null) return undefined
  // Only objects and functions can come from the prototype (`constructor`, `__proto__`). Checking every value would
  // take a third of the time of `Pool.add`.
  return typeof value !== 'object' && typeof value !== 'function'
    ? value
    : Object.hasOwn(state, field)
      ? value
      : undefined
}

export const readNumber = (state: State, field: string): number | undefined => {
  const value = own(state, field)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Returns the list of strings in a field; undefined when an element is not a string. */
export const readStrings = (state: State, field: string): readonly string[] | undefined => {
  const value = own(state, field)
  if (!Array.isArray(value)) return undefined
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'string') return undefined
  return value
}

export const checkBound = (name: string, value: unknown, from: number): ConfigIssue[] =>
  typeof value === 'number' && value >= from && value < Number.POSITIVE_INFINITY
    ? []
    : [
        {
          path: [name],
          message: from === Number.NEGATIVE_INFINITY ? 'must be a number' : `must be a number of at least ${from}`,
        },
      ]

export const checkWhole = (name: string, value: unknown, from: number, to: number): ConfigIssue[] =>
  Number.isInteger(value) && (value as number) >= from && (value as number) <= to
    ? []
    : [{ path: [name], message: `must be a whole number from ${from} to ${to}` }]
