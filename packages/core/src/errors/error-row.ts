/** Kind of an error, for any protocol. The HTTP package maps each kind to a status. */
export type ErrorKind =
  /** The input is malformed. */
  | 'invalid'
  /** The caller has no valid credential. */
  | 'unauthenticated'
  /** A payment is needed first. */
  | 'unpaid'
  /** The caller is known, but is not allowed to do this. */
  | 'forbidden'
  /** The thing does not exist, or the caller must not learn that it exists. */
  | 'absent'
  /** The thing exists, but does not support this kind of request. */
  | 'unsuited'
  /** The present state does not allow the call. */
  | 'conflict'
  | 'too_large'
  /** The address or the headers of the request are too large. */
  | 'head_too_large'
  /** The content type of the request is not supported. */
  | 'unreadable'
  /** The call repeats an idempotency key with another request. */
  | 'mismatch'
  | 'too_many'
  /** The service has a bug. */
  | 'bug'
  /** A resource that the service depends on failed permanently. */
  | 'failed'
  /** A resource that the service depends on is temporarily unavailable. */
  | 'unavailable'

/**
 * Effect of sending the same request again.
 * - `in-vain`: it fails again.
 * - `when-changed`: it can succeed after the state has changed.
 * - `after-a-pause`: it can succeed after `retry-after` and a random backoff.
 * - `at-once`: it can succeed after some tens of milliseconds.
 * - `in-time`: it can succeed after exactly `retry-after`.
 * - `in-doubt`: it is unknown whether the change was made, so retry once, with the same idempotency key.
 * - `never-answered`: no call is answered with this code.
 */
export type ErrorRetry =
  | 'in-vain'
  | 'when-changed'
  | 'after-a-pause'
  | 'at-once'
  | 'in-time'
  | 'in-doubt'
  | 'never-answered'

/** Row of the error catalogue. The error pages, the clients and the documentation are generated from it. */
export interface ErrorRow<Code extends string = string> {
  /** Stable number of the code. Another code never gets the same number. */
  readonly number: number
  /** Kind of the error, by which the HTTP API chooses the status. */
  readonly kind: ErrorKind
  /** Short title of the error, the same for all its occurrences. */
  readonly title: string
  /** Cause of the error, in the terms of the caller. */
  readonly happened: string
  /** Remedy for the error. */
  readonly mend: string
  /** Content of `details`; absent when the error has no details. */
  readonly details?: string
  /** Advice about retries of the rejected call. */
  readonly retry: ErrorRetry
  /** Other places where the code occurs, besides the operations whose documentation names it. */
  readonly also?: string
  /** Codes that are similar, or that often follow. */
  readonly near: readonly Code[]
}

/** Returns the error codes of one topic unchanged. The types of their names, and of the names in `near`, are kept. */
export const errorCodes = <Code extends string, const Near extends string>(
  codes: Readonly<Record<Code, ErrorRow<Near>>>,
): Readonly<Record<Code, ErrorRow<Near>>> => codes
