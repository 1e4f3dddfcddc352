import { z } from '@hono/zod-openapi'
import { DEFAULT_PAGE_LIMIT, PAGE_LIMIT } from '@matchyard/core'

const digits = /^[0-9]{1,15}$/

/** A whole number in a query; out of range is refused, never clamped. */
export const queryInt = (min: number, max: number, fallback?: number) => {
  const number = z
    .string()
    .refine((value) => digits.test(value) && Number(value) >= min && Number(value) <= max, {
      message: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .openapi({ type: 'integer', minimum: min, maximum: max, ...(fallback === undefined ? {} : { default: fallback }) })
  return number
}

/** `limit` and `offset`, on every list. */
export const paging = {
  limit: queryInt(PAGE_LIMIT.min, PAGE_LIMIT.max, DEFAULT_PAGE_LIMIT).default(DEFAULT_PAGE_LIMIT),
  offset: queryInt(0, Number.MAX_SAFE_INTEGER, 0).default(0),
}

/** A word to look for: printable, so that every storage can be asked for it. */
export const word = z.string().regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 printable characters')

export const projectId = z.string().optional().openapi({
  description: 'Names the project of a session token; ignored with an API key.',
})
