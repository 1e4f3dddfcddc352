/**
 * Returns the names of the fields that a schema has at a path; an empty list if there is no object at the path. Runs
 * only when a request is refused.
 */
export function knownFields(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const at = bare(schema)
  if (at === undefined) return []
  if (Array.isArray(at.options)) return at.options.flatMap((option) => knownFields(option, path))
  const [step, ...rest] = path
  if (at.shape === undefined) return step === undefined ? [] : knownFields(at.element ?? at.valueType, rest)
  return step === undefined ? Object.keys(at.shape) : knownFields(at.shape[String(step)], rest)
}

/** Properties of a zod schema that this file reads. */
interface Schema {
  readonly shape?: Readonly<Record<string, unknown>>
  readonly element?: unknown
  readonly valueType?: unknown
  readonly options?: readonly unknown[]
  readonly unwrap?: () => unknown
}

/**
 * Returns a schema without its optional and nullable wrappers. A list schema has `unwrap` too, so lists are recognised
 * by `element` first.
 */
function bare(schema: unknown): Schema | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { unwrap, element } = schema as Schema
  return unwrap === undefined || element !== undefined ? (schema as Schema) : bare(unwrap.call(schema))
}
