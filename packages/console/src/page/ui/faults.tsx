import { isMatchyardError } from '@matchyard/client'
import { sentenceOf } from './toast'

/** Faults of a form: the faults of its fields, and the faults without a field. */
export interface Faults {
  /** Faults of the form's fields, by the API name of the field. */
  readonly of: Readonly<Record<string, string | undefined>>
  /** Faults that belong to no field of the form, as one text. */
  readonly other?: string
}

export const NO_FAULTS: Faults = { of: {} }

interface Issue {
  readonly path: string
  readonly message: string
}

/** Returns the issues of an error, each with its path in the body. */
export function issuesOf(error: unknown): readonly Issue[] {
  if (!isMatchyardError(error)) return []
  const { issues } = error.details as { readonly issues?: unknown }
  return Array.isArray(issues) ? (issues as readonly Issue[]) : []
}

/**
 * Returns the faults of an error for the fields of a form, in the service's words. `codes` gives the field for error
 * codes without issues: `{ QUEUE_EXISTS: 'queue_id' }`.
 */
export function faultsOf(
  error: unknown,
  fields: readonly string[],
  codes: Readonly<Record<string, string>> = {},
): Faults {
  const issues = issuesOf(error)
  if (issues.length === 0) {
    const field = isMatchyardError(error) ? codes[error.code] : undefined
    return field === undefined ? { of: {}, other: sentenceOf(error) } : { of: { [field]: sentenceOf(error) } }
  }
  const of: Record<string, string> = {}
  const others: string[] = []
  for (const { path, message } of issues) {
    // A fault belongs to the first name in `fields` that its path contains: `issuers[1].jwks_url` belongs to the field
    // `jwks_url`.
    const parts = path.split(/[.[\]]+/)
    const field = fields.find((name) => parts.includes(name))
    if (field === undefined) others.push(`${path}: ${message}`)
    else of[field] ??= message
  }
  return others.length === 0 ? { of } : { of, other: others.join('; ') }
}

/** Shows, under the form, the faults that belong to no field. */
export function OtherFault({ of: { other } }: { readonly of: Faults }) {
  if (other === undefined) return null
  return (
    <p class="hint wrong" role="alert">
      {other.slice(0, 600)}
    </p>
  )
}
