import { ServiceError, type ValidationIssue } from '@matchyard/core'
import { issuesSentence, rejectInvalid } from '@matchyard/core/domain'
import { type PathNames, wirePath } from './codec/index'

const isIssue = (value: unknown): value is { path: string; message: string } =>
  typeof value === 'object' && value !== null && typeof (value as ValidationIssue).path === 'string'

// Refusals of the request itself: their paths are the caller's own words, and translating those would name other fields.
const asSent = new WeakSet<ServiceError>()

/** VALIDATION_FAILED for what was sent, each path spelled as the caller spelled it; the sentence counts those that are left out. */
export function requestFault(issues: readonly ValidationIssue[], total = issues.length): ServiceError {
  const error = ServiceError.of(rejectInvalid(issues, total).rejected)
  asSent.add(error)
  return error
}

/** A refusal's sentence and details as the wire spells them: the paths of its issues by the names of the body, the rest as core gave it. */
export function wireWords(
  error: ServiceError,
  names: PathNames | undefined,
): { readonly detail: string; readonly details: Record<string, unknown> } {
  const { detail, details } = error
  const { issues } = details
  if (!Array.isArray(issues) || !issues.every(isIssue) || names === undefined || asSent.has(error)) {
    return { detail, details }
  }
  const spelled = issues.map(({ path, message }) => ({ path: wirePath(path, names), message }))
  return { detail: issuesSentence(spelled, totalOf(detail) ?? issues.length), details: { ...details, issues: spelled } }
}

/** How many issues the sentence of a refusal counts: those beyond the first twenty are not among its details. */
function totalOf(detail: string): number | undefined {
  const more = /\(and ([0-9]{1,9}) more\)$/.exec(detail)?.[1]
  return more === undefined ? undefined : Number(more) + 1
}
