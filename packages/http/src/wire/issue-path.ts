import { type ServiceError, type ValidationIssue, validationFailed } from '@matchyard/core'
import { type PathNames, wirePath } from './codec/index'

const isIssue = (value: unknown): value is ValidationIssue =>
  typeof value === 'object' && value !== null && typeof (value as ValidationIssue).path === 'string'

// Refusals of the request itself: their paths are the caller's own words, and translating those would name other fields.
const asSent = new WeakSet<ServiceError>()

/** VALIDATION_FAILED for what was sent, each path spelled as the caller spelled it. */
export function requestFault(issues: readonly ValidationIssue[]): ServiceError {
  const error = validationFailed([...issues])
  asSent.add(error)
  return error
}

/** A refusal's details as the wire spells them: the paths of its issues by the names of the body, the rest as core gave it. */
export function wireDetails(error: ServiceError, names: PathNames | undefined): Record<string, unknown> {
  const { issues } = error.details
  if (!Array.isArray(issues) || names === undefined || asSent.has(error)) return error.details
  return {
    ...error.details,
    issues: issues.map((issue) =>
      isIssue(issue) ? { path: wirePath(issue.path, names), message: issue.message } : issue,
    ),
  }
}
