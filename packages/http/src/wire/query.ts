import { z } from '@hono/zod-openapi'
import { DEFAULT_PAGE_LIMIT, PAGE_LIMIT, type Range, WORD_PATTERN, WORD_RULE } from '@matchyard/core/domain'
import { optional, plain, queryOf, required } from './codec/index'

const digits = /^[0-9]{1,15}$/

/** Returns the schema of a whole number in a query. A number that is out of range is refused, never clamped. */
const queryInt = ({ min, max }: Range, fallback?: number) =>
  z
    .string()
    .refine((value) => digits.test(value) && Number(value) >= min && Number(value) <= max, {
      message: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .openapi({ type: 'integer', minimum: min, maximum: max, ...(fallback === undefined ? {} : { default: fallback }) })

/**
 * Returns the codec of a whole number in a query, which may be absent. If there is no `fallback`, the domain has the
 * default.
 */
export const wholeInQuery = (range: Range, fallback?: number) => plain(queryInt(range, fallback))

/** Codec of an instant in a query, in ISO 8601. */
export const instantInQuery = plain(
  z
    .string()
    .refine((value) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)), 'must be a date-time')
    .transform((value) => Date.parse(value))
    .openapi({ type: 'string', format: 'date-time' }),
)

/** ISO 8601 with a time zone. Without one, the meaning of a time would depend on the machine. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** Codec of an instant in a body, or null. */
export const dateTime = plain(
  z
    .string()
    .refine((value) => ISO.test(value) && !Number.isNaN(Date.parse(value)), 'must be a date-time with a time zone')
    .transform((value) => Date.parse(value))
    .nullable()
    .openapi({ type: ['string', 'null'], format: 'date-time' }),
)

/** Codec of a truth value in a query. */
export const flagInQuery = plain(
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .openapi({ type: 'boolean' }),
)

/** Parameters `limit` and `offset` of a list. */
export const paging = {
  limit: required(
    plain(queryInt(PAGE_LIMIT, DEFAULT_PAGE_LIMIT).default(DEFAULT_PAGE_LIMIT)),
    'Maximum number of items.',
  ),
  offset: required(plain(queryInt({ min: 0, max: Number.MAX_SAFE_INTEGER }, 0).default(0)), 'Number of items to skip.'),
}

/** Parameter `cursor` of a list. */
export const cursor = optional(plain(z.string()), 'next_cursor of the previous answer.')

/** Parameters `limit` and `cursor` of a list. */
export const walking = { limit: paging.limit, cursor }

/** Query of a list without filters. */
export const pageQuery = queryOf(paging)

/** Codec of a search word. It must be printable, so that every storage can search for it. */
export const word = plain(z.string().regex(WORD_PATTERN, WORD_RULE))

/** Parameter by which a session names the project. */
export const projectId = optional(plain(z.string()), 'Project, for a session token; ignored with an API key.')

export const projectQuery = queryOf({ projectId })

/** Query of a list that sessions may request too. */
export const projectPageQuery = queryOf({ projectId, ...paging })
