import { ServiceError, type ValidationIssue } from '@matchyard/core'
import { issuesSentence, rejectInvalid } from '@matchyard/core/domain'
import { type PathNames, wirePath } from './codec/index'
import { wireName } from './codec/wire-names'
import { wireSentence } from './spoken-names'

const isIssue = (value: unknown): value is { path: string; message: string } =>
  typeof value === 'object' && value !== null && typeof (value as ValidationIssue).path === 'string'

// Errors whose paths already have the names that the caller sent. They must not be translated again, because the result
// would name other fields.
const asSent = new WeakSet<ServiceError>()

/**
 * Returns `VALIDATION_FAILED` for a request, with the paths that the caller sent. `total` is the number of all issues,
 * so that the sentence can count the issues that are left out.
 */
export function requestFault(issues: readonly ValidationIssue[], total = issues.length): ServiceError {
  const error = ServiceError.of(rejectInvalid(issues, total).rejected)
  asSent.add(error)
  return error
}

/**
 * Returns the sentence and the details of an error for callers over HTTP: the paths of its issues, the fields of its
 * players and the names in its sentences get the JSON names, and everything else stays unchanged.
 */
export function wireWords(
  error: ServiceError,
  names: PathNames | undefined,
): { readonly detail: string; readonly details: Record<string, unknown> } {
  const { details } = error
  const detail = wireSentence(error.detail)
  const { issues } = details
  if (Array.isArray(details.players))
    return { detail, details: { ...details, players: details.players.map(wirePlayer) } }
  if (!Array.isArray(issues) || !issues.every(isIssue) || names === undefined || asSent.has(error)) {
    return { detail, details }
  }
  const spelled = issues.map(({ path, message }) => ({
    path: wirePath(path, names),
    message: wireSentence(message),
  }))
  return { detail: issuesSentence(spelled, totalOf(detail) ?? issues.length), details: { ...details, issues: spelled } }
}

/** Returns an entry of `details.players` with the JSON names of its fields. An entry that is only an id stays unchanged. */
const wirePlayer = (player: unknown): unknown =>
  typeof player === 'object' && player !== null
    ? Object.fromEntries(Object.entries(player).map(([name, value]) => [wireName(name), value]))
    : player

/** Returns the total number of issues that an error's sentence names. The details contain only the first 20 issues. */
function totalOf(detail: string): number | undefined {
  const more = /\(and ([0-9]{1,9}) more\)$/.exec(detail)?.[1]
  return more === undefined ? undefined : Number(more) + 1
}
