import type { z } from '@hono/zod-openapi'

/** Schemas that have a name in the OpenAPI document, inner schemas first. Each is described once. */
export const COMPONENTS = new Map<string, z.ZodType>()

/** Returns a schema with its name and its description in the OpenAPI document. */
export function component<S extends z.ZodType>(schema: S, name: string | undefined, words?: string): S {
  if (name === undefined) return described(schema, words)
  const named = schema.openapi(name, words === undefined ? {} : { description: words })
  COMPONENTS.set(name, named)
  return named
}

const NOTES = new WeakMap<z.ZodType, string>()

/**
 * Returns a schema with a note that holds wherever the schema is used, such as the unit or the bounds of its values.
 */
export function noted<S extends z.ZodType>(schema: S, note: string): S {
  const made = schema.openapi({ description: note })
  NOTES.set(made, note)
  return made
}

/** Returns a schema with a description for one field. The description comes before the note of `noted`. */
export function described<S extends z.ZodType>(schema: S, words: string | undefined): S {
  if (words === undefined) return schema
  const note = NOTES.get(schema)
  return schema.openapi({ description: note === undefined ? words : `${words} ${note}` })
}
