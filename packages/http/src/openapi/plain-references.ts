type Json = { readonly [key: string]: unknown }

/**
 * Returns a copy of the document with simpler references. The generator writes a reference with a description as
 * `allOf` of the reference and the description. It writes a nullable reference as `allOf` of the schema and of "the
 * schema or null", which null never satisfies. The copy has the description beside the reference, or `anyOf` of the
 * reference and null.
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

/** Keywords of a schema that describe its values without restricting them. */
const WORDS: ReadonlySet<string> = new Set(['description', 'default', 'example'])
