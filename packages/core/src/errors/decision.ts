import type { JsonObject } from '../shared/json'
import type { ErrorCode } from './catalogue'
import type { ErrorKind } from './error-row'

/** Why a command may not happen now: a row of the error catalogue, a sentence that helps to mend it, typed details. */
export interface Rejection {
  readonly code: ErrorCode
  readonly detail: string
  readonly details?: JsonObject
  /** Where it differs from the catalogue's row. */
  readonly kind?: ErrorKind
  /** Seconds after which it may be otherwise. */
  readonly retryAfterSeconds?: number
}

/** Result of a decider: the events, or a rejection. */
export type Decision<E> =
  | { readonly ok: true; readonly events: readonly E[] }
  | { readonly ok: false; readonly rejected: Rejection }

export const accept = <E>(...events: E[]): Decision<E> => ({ ok: true, events })

export const reject = (code: ErrorCode, detail: string, details?: JsonObject): { ok: false; rejected: Rejection } => ({
  ok: false,
  rejected: details === undefined ? { code, detail } : { code, detail, details },
})

/** Returns the rejection for an addressed player who is missing, where the same code for the acting player has another kind. */
export const rejectAddressed = (code: ErrorCode, detail: string): { ok: false; rejected: Rejection } => ({
  ok: false,
  rejected: { code, detail, kind: 'absent' },
})

export interface ValidationIssue {
  /** Where: keys and indexes joined by dots, empty for the whole body. */
  readonly path: string
  readonly message: string
}

/** The issues as one sentence: the first, and how many there are beside it; `total` where not all of them are given. */
export function issuesSentence(issues: readonly ValidationIssue[], total = issues.length): string {
  const [first] = issues
  if (first === undefined) return 'the request is not valid'
  return `${first.path || 'body'}: ${first.message}${total > 1 ? ` (and ${total - 1} more)` : ''}`
}

/** Issues of one body that are told at once; a hostile one may hold thousands. */
export const MAX_ISSUES = 20

/** VALIDATION_FAILED with the first of its issues, which are also the sentence; that counts the others. `total`: where not all are given. */
export function rejectInvalid(
  issues: readonly ValidationIssue[],
  total = issues.length,
): { ok: false; rejected: Rejection } {
  const named = issues.slice(0, MAX_ISSUES).map(shortened)
  return reject('VALIDATION_FAILED', issuesSentence(named, total), { issues: named })
}

/** An issue without the length that the caller gave it: its words may repeat whatever was sent. */
const shortened = ({ path, message }: ValidationIssue) => ({
  path: cutAt(path, MAX_TOLD.path),
  message: cutAt(message, MAX_TOLD.message),
})

/** Characters of an answer's words that may be the caller's own. */
export const MAX_TOLD = { path: 256, message: 1_024, detail: 2_048 } as const

export const cutAt = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text)
