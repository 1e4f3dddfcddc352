import { z } from '@hono/zod-openapi'
import type { ServiceError, ValidationIssue } from '@matchyard/core'
import { MAX_HINTS, MAX_ISSUES, MAX_PARAM_UNITS, unknownField } from '@matchyard/core/domain'
import { requestFault } from '../wire/issue-path'
import { knownFields } from './known-fields'

/** Schema of the body of a route that takes no body. */
export const NO_BODY = z.strictObject({})

/**
 * Returns the value as its schema has parsed it. Throws `VALIDATION_FAILED` with the issues, each with the path of its
 * field.
 */
export function validate(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw faultOf(result.error.issues, schema)
}

/**
 * Returns the error with at most `MAX_ISSUES` issues, and with hints for at most `MAX_HINTS` of them, because a body
 * that was made to harm the service may have thousands of faults.
 */
function faultOf(found: readonly z.core.$ZodIssue[], schema: z.ZodType): ServiceError {
  const told: ValidationIssue[] = []
  let hints = MAX_HINTS
  for (const issue of found) {
    if (told.length >= MAX_ISSUES) break
    const path = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys') {
      told.push({ path, message: messageOf(issue) })
      continue
    }
    const known = knownFields(schema, issue.path)
    const outer = path === '' ? [] : knownFields(schema, [])
    for (const key of issue.keys.slice(0, MAX_ISSUES - told.length)) {
      const unknown = () => unknownField(key, hints-- > 0 ? known : [])
      const message = outer.includes(key) ? `is a field of the body itself, not of ${path}` : unknown()
      told.push({ path: path === '' ? key : `${path}.${key}`, message })
    }
  }
  const total = found.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
  return requestFault(told, total)
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
  return issue.message
}

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNFIT = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff]/u

/**
 * Returns the path parameters. They need no schema: an impossible id leads to a "not found" error at the step of
 * docs/http-api.md §1 that looks up the id. Some storages cannot search for certain texts; such a text becomes an empty
 * string, which is never an id.
 */
export function validateParams(params: Record<string, string>): Record<string, string> {
  for (const value of Object.values(params)) {
    if (UNFIT.test(value) || value.length > MAX_PARAM_UNITS) return withoutUnfit(params)
  }
  return params
}

const withoutUnfit = (params: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      UNFIT.test(value) || value.length > MAX_PARAM_UNITS ? '' : value,
    ]),
  )
