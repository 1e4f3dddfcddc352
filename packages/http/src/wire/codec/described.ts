import type { z } from '@hono/zod-openapi'

/** The schemas that have a name in the document, the inner ones first: each is told once, by its own words. */
export const COMPONENTS = new Map<string, z.ZodType>()

/** Gives a schema its name in the document, and says what it is. */
export function component<S extends z.ZodType>(schema: S, name: string | undefined, words?: string): S {
  if (name === undefined) return described(schema, words)
  const named = schema.openapi(name, words === undefined ? {} : { description: words })
  COMPONENTS.set(name, named)
  return named
}

const NOTES = new WeakMap<z.ZodType, string>()

/** Adds a note that is true of a kind of value everywhere: its unit, its bounds. */
export function noted<S extends z.ZodType>(schema: S, note: string): S {
  const made = schema.openapi({ description: note })
  NOTES.set(made, note)
  return made
}

/** Adds the meaning of a value at its place, before the note of its kind. */
export function described<S extends z.ZodType>(schema: S, words: string | undefined): S {
  if (words === undefined) return schema
  const note = NOTES.get(schema)
  return schema.openapi({ description: note === undefined ? words : `${words} ${note}` })
}
