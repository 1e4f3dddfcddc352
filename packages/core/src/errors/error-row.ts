/** Kind of an error, independent of the transport. The HTTP package maps each kind to a status. */
export type ErrorKind =
  /** The input is malformed. */
  | 'invalid'
  /** The caller has no valid credential. */
  | 'unauthenticated'
  /** A payment is needed first. */
  | 'unpaid'
  /** The caller is known, but is not allowed to do this. */
  | 'forbidden'
  /** The thing does not exist, or the caller may not know of it. */
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
  /** The call repeats an earlier request with another content. */
  | 'mismatch'
  | 'too_many'
  /** A bug in the service. */
  | 'bug'
  /** A resource that the service depends on failed permanently. */
  | 'failed'
  /** A resource that the service depends on is temporarily unavailable. */
  | 'unavailable'

/**
 * Effect of sending the same request again. `in-vain`: it fails again. `when-changed`: it can succeed after the state has changed.
 * `after-a-pause`: retry after `retry-after` and a random backoff. `at-once`: retry after some tens of milliseconds. `in-time`: retry after
 * exactly `retry-after`. `in-doubt`: it is unknown whether the change was made, so retry once, with the same idempotency key.
 * `never-answered`: no call is answered with this code.
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
  /** Stable number of the code. A number is never used for another code. */
  readonly number: number
  readonly kind: ErrorKind
  readonly title: string
  /** Cause of the error, in the caller's terms. */
  readonly happened: string
  /** How to fix it. */
  readonly mend: string
  /** Content of `details`; absent when there are none. */
  readonly details?: string
  readonly retry: ErrorRetry
  /** Where the code also occurs, besides the operations whose documentation names it. */
  readonly also?: string
  /** Codes that are similar, or that often follow. */
  readonly near: readonly Code[]
}

/** Returns the codes of one topic unchanged. The types keep their names and those in `near`. */
export const errorCodes = <Code extends string, const Near extends string>(
  codes: Readonly<Record<Code, ErrorRow<Near>>>,
): Readonly<Record<Code, ErrorRow<Near>>> => codes
