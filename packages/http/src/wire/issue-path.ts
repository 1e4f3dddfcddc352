import { type ServiceError, type ValidationIssue, validationFailed } from '@matchyard/core'

/** Below these a path leads through names that callers chose, which keep their case. */
const CALLER_NAMED: ReadonlySet<string> = new Set(['settings', 'state', 'customData', 'teamComposition'])

/** `matchmaking.playersPerTeam` → `matchmaking.players_per_team`; names inside free-form objects are left alone. */
function wirePath(path: string): string {
  const segments = path.split('.')
  const own = segments.findIndex((segment) => CALLER_NAMED.has(segment))
  return segments.map((segment, index) => (own !== -1 && index > own ? segment : wireName(segment))).join('.')
}

/** A field of core's as it is spelled on the wire: `timeoutSeconds` is `timeout` there. */
function wireName(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return WITHOUT_UNIT.has(snake) ? snake.slice(0, -'_seconds'.length) : snake
}

const WITHOUT_UNIT: ReadonlySet<string> = new Set([
  'timeout_seconds',
  'heartbeat_timeout_seconds',
  'lobby_ttl_seconds',
  'ttl_seconds',
  'partial_after_seconds',
])

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

/** A refusal's details as the wire spells them: the paths of its issues are translated, the rest is as core gave it. */
export function wireDetails(error: ServiceError): Record<string, unknown> {
  const { issues } = error.details
  if (!Array.isArray(issues) || asSent.has(error)) return error.details
  return {
    ...error.details,
    issues: issues.map((issue) => (isIssue(issue) ? { path: wirePath(issue.path), message: issue.message } : issue)),
  }
}
