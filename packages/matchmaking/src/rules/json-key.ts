/** Returns a string that two JSON values share exactly when they are equal. The order of keys does not matter; `1` and `"1"` differ. */
export const jsonKey = (value: unknown): string => {
  if (typeof value === 'string') return `"${value}`
  if (typeof value !== 'object' || value === null) return String(value === 0 ? 0 : value)
  return JSON.stringify(sorted(value))
}

/**
 * Returns the value with each object replaced by a list of its sorted entries. The list begins with a mark, so that it
 * differs from every plain list.
 */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return ['[', ...value.map(sorted)]
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return ['{', ...entries.flatMap(([key, inner]) => [key, sorted(inner)])]
}
