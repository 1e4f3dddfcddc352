import type { JsonObject } from '../shared/json'
import type { ErrorCode } from './catalogue'
import type { ErrorKind } from './error-row'

/** Reason why a command is refused: a code of the error catalogue, a sentence that helps to solve the problem, and details for programs. */
export interface Rejection {
  readonly code: ErrorCode
  readonly detail: string
  readonly details?: JsonObject
  /** Kind of the error, when it differs from the kind in the catalogue. */
  readonly kind?: ErrorKind
  /** Seconds after which a retry may succeed. */
  readonly retryAfterSeconds?: number
}

/** Result of a decider: events, or a rejection. */
export type Decision<E> =
  | { readonly ok: true; readonly events: readonly E[] }
  | { readonly ok: false; readonly rejected: Rejection }

export const accept = <E>(...events: E[]): Decision<E> => ({ ok: true, events })

export const reject = (code: ErrorCode, detail: string, details?: JsonObject): { ok: false; rejected: Rejection } => ({
  ok: false,
  rejected: details === undefined ? { code, detail } : { code, detail, details },
})

/**
 * Returns the rejection for a player that a call names and that is missing (kind `absent`). For a missing player who makes the call, the
 * same code has another kind.
 */
export const rejectAddressed = (code: ErrorCode, detail: string): { ok: false; rejected: Rejection } => ({
  ok: false,
  rejected: { code, detail, kind: 'absent' },
})

/** Fault of one value in a call's input. */
export interface ValidationIssue {
  /** Path of the invalid value: keys and indexes joined by dots; empty for the whole body. */
  readonly path: string
  /** The fault, as a sentence without a subject: `must be at least 1`. */
  readonly message: string
}

/**
 * Returns one sentence for the issues: the first issue, and the number of the other issues. `total`: number of all issues, when `issues`
 * contains only some.
 */
export function issuesSentence(issues: readonly ValidationIssue[], total = issues.length): string {
  const [first] = issues
  if (first === undefined) return 'the request is not valid'
  return `${first.path || 'body'}: ${first.message}${total > 1 ? ` (and ${total - 1} more)` : ''}`
}

/** Maximum issues that one answer lists. The body of an attacker may have thousands of issues. */
export const MAX_ISSUES = 20

/**
 * Rejects with VALIDATION_FAILED. The details list the first issues; the sentence contains the first issue and the number of the others.
 * `total`: number of all issues, when `issues` contains only some.
 */
export function rejectInvalid(
  issues: readonly ValidationIssue[],
  total = issues.length,
): { ok: false; rejected: Rejection } {
  const named = issues.slice(0, MAX_ISSUES).map(shortened)
  return reject('VALIDATION_FAILED', issuesSentence(named, total), { issues: named })
}

/** Returns an issue with shortened texts, because they may repeat the caller's input. */
const shortened = ({ path, message }: ValidationIssue) => ({
  path: cutAt(path, MAX_TOLD.path),
  message: cutAt(message, MAX_TOLD.message),
})

/** Maximum characters of texts in an error answer that may repeat the caller's input. */
export const MAX_TOLD = { path: 256, message: 1_024, detail: 2_048 } as const

export const cutAt = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text)
