type Json = { readonly [key: string]: unknown }

/**
 * The generator writes what is said beside a reference as `allOf` of both, and what may also be null as `allOf` of a thing and of "thing
 * or null", which null never is. Here each is as it is meant: a reference with words beside it, or one of the thing and null.
 */
export function plainReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainReferences)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainReferences(inner)])) as Json
  const parts = copy.allOf
  if (!Array.isArray(parts) || parts.length !== 2) return copy
  const [reference, { type, ...words }] = parts as [Json, Json]
  if (typeof reference.$ref !== 'string' || Object.keys(words).some((key) => !WORDS.has(key))) return copy
  const orNull = Array.isArray(type) && type.includes('null')
  if (type !== undefined && !orNull) return copy
  const { allOf: _, ...beside } = copy
  return { ...(orNull ? { anyOf: [reference, { type: 'null' }] } : reference), ...beside, ...words }
}

/** Keywords of a schema that do not restrict its values. */
const WORDS: ReadonlySet<string> = new Set(['description', 'default', 'example'])
