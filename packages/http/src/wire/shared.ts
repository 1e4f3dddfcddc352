import { z } from '@hono/zod-openapi'
import { freeFormFault, isJsonObject, type JsonObject, type Page, REGIONS, TIERS, toIso } from '@matchyard/core'

/** Text of so many characters (code points, as the contract counts). */
export const text = (min: number, max: number) =>
  z
    .string()
    .refine((value) => {
      const { length } = value.length > 2 * max ? value : [...value]
      return length >= min && length <= max
    }, `must be ${min} to ${max} characters long`)
    .openapi({ minLength: min, maxLength: max })

/** Names of accounts, lobbies, servers, queues and keys. */
export const name = text(1, 128)

export const region = z.enum(REGIONS).openapi('Region', { description: 'A region code.' })
export const tier = z.enum(TIERS).openapi('Tier', { description: 'A size of game server.' })
export const dateTime = z.string().openapi({ format: 'date-time' })
export const wholeNumber = (min: number, max: number) =>
  z.int('must be a whole number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`)

/** Carried through untouched: the schema judges the very object that was parsed and never rebuilds it. */
export const freeForm = z
  .custom<JsonObject>((value) => isJsonObject(value), 'must be an object')
  .superRefine((value, context) => {
    if (!isJsonObject(value)) return
    const fault = freeFormFault(value)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })
  .openapi({ type: 'object', additionalProperties: true, description: 'Free-form, at most 16 kB and 16 levels deep.' })

export const iso = (at: number): string => toIso(at)
export const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))

/** The envelope of every list. */
export const envelopeOf = <T extends z.ZodType>(item: T) =>
  z.object({
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
    data: z.array(item),
  })

export function toEnvelopeWire<T, W>(
  page: Page<T>,
  { limit, offset }: { limit: number; offset: number },
  toWire: (item: T) => W,
) {
  const data = page.data.map(toWire)
  return { total: page.total, limit, offset, has_more: offset + data.length < page.total, data }
}
