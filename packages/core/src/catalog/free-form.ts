import type { ValidationIssue } from '../errors/decision'
import { validationFailed } from '../errors/service-error'
import { byteSize, isWellFormed, type JsonObject, type JsonValue } from '../shared/json'
import { MAX_FREE_FORM_BYTES, MAX_FREE_FORM_DEPTH } from './limits'

/** Keys with a special meaning in JavaScript. They are refused in all JSON input, so that no other code needs to handle them. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Returns the fault of a free-form object, as the end of a sentence ("is 20000 bytes; …"); undefined when it is valid. */
export function freeFormFault(value: JsonObject): string | undefined {
  const fault = valueFault(value, 1)
  if (fault !== undefined) return fault
  const bytes = byteSize(value)
  return bytes > MAX_FREE_FORM_BYTES
    ? `has ${bytes} bytes; at most ${MAX_FREE_FORM_BYTES} bytes are allowed`
    : undefined
}

/**
 * Returns the reason why a number cannot be stored; undefined when it can be. A whole number beyond 2^53 - 1, such as a 64-bit Steam id, is
 * refused. JSON programs read such a number as the nearest double, and another number would be returned.
 */
export function numberFault(value: number): string | undefined {
  if (Number.isSafeInteger(value)) return undefined
  if (!Number.isFinite(value)) return 'contains a number that is not finite'
  return Number.isInteger(value)
    ? `contains ${value}, a number above 2^53 - 1 that JSON cannot represent exactly; send it as text`
    : undefined
}

function valueFault(value: JsonValue, depth: number): string | undefined {
  if (typeof value === 'number') return numberFault(value)
  if (typeof value === 'string') return isWellFormed(value) ? undefined : 'contains text that is not valid Unicode'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_FREE_FORM_DEPTH) return `is nested deeper than ${MAX_FREE_FORM_DEPTH} levels`
  if (Array.isArray(value)) return firstFault(value, depth)
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_KEYS.has(key)) return `contains the forbidden key "${key}"`
    if (!isWellFormed(key)) return 'contains a key that is not valid Unicode'
  }
  return firstFault(Object.values(value), depth)
}

function firstFault(values: readonly JsonValue[], depth: number): string | undefined {
  for (const value of values) {
    const fault = valueFault(value, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * Throws VALIDATION_FAILED that names each free-form object that exceeds a limit or contains a forbidden key or value (docs/http-api.md
 * §1).
 */
export function checkFreeForm(objects: Readonly<Record<string, JsonObject | undefined>>): void {
  const issues: ValidationIssue[] = []
  for (const [path, value] of Object.entries(objects)) {
    const fault = value === undefined ? undefined : freeFormFault(value)
    if (fault !== undefined) issues.push({ path, message: fault })
  }
  if (issues.length > 0) throw validationFailed(issues)
}
