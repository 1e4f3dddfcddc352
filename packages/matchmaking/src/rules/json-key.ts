/**
 * Returns a string that is the same for two JSON values exactly when the values are equal. The order of keys does not
 * matter; `1` and `"1"` differ.
 */
export const jsonKey = (value: unknown): string => {
  if (typeof value === 'string') return `"${value}`
  if (typeof value !== 'object' || value === null) return String(value === 0 ? 0 : value)
  return JSON.stringify(sorted(value))
}

/**
 * Returns the value with each object replaced by a list of its sorted entries. The first element of the list is a
 * marker, so that the list differs from every array in the value.
 */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return ['[', ...value.map(sorted)]
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return ['{', ...entries.flatMap(([key, inner]) => [key, sorted(inner)])]
}
