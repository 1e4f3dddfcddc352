/**
 * Maximum bytes of a schema's name. A name of PostgreSQL has at most 63 bytes, and the rest of a longer one is cut off.
 * The channel of the signals is the schema's name after `matchyard `.
 */
const MAX_BYTES = 53

/** Names that PostgreSQL uses itself. `$user` stands for the name of the role, also in quotation marks. */
const RESERVED = /^(pg_|information_schema$|\$user$)/

/** Throws TypeError for a name that PostgreSQL would refuse, shorten or read as another one. */
export function requireSchemaName(schema: string): void {
  const fault = faultOf(schema)
  if (fault === undefined) return
  throw new TypeError(`postgresStorage: schema ${fault}: choose a name such as "matchyard"`)
}

function faultOf(schema: unknown): string | undefined {
  if (typeof schema !== 'string' || schema === '') return 'must be a text that is not empty'
  if (schema.includes('\0')) return 'must not contain the character U+0000'
  const bytes = new TextEncoder().encode(schema).length
  if (bytes > MAX_BYTES) return `has ${bytes} bytes, and at most ${MAX_BYTES} are possible`
  if (RESERVED.test(schema)) return `${JSON.stringify(schema)} is a name that PostgreSQL uses itself`
  return undefined
}
