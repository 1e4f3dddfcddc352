import { ERROR_CATALOGUE, type ErrorCode, type ErrorKind } from '@matchyard/core'

const STATUS_OF: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  unpaid: 402,
  forbidden: 403,
  absent: 404,
  unsuited: 405,
  conflict: 409,
  too_large: 413,
  head_too_large: 431,
  unreadable: 415,
  mismatch: 422,
  too_many: 429,
  bug: 500,
  failed: 502,
  unavailable: 503,
}

/** Returns the HTTP status of a refusal. */
export const statusOf = (error: { readonly kind: ErrorKind }): number => STATUS_OF[error.kind]

/** A row of the error catalogue in the form that callers over HTTP see. */
export interface HttpErrorRow {
  /** Stable number of the error. */
  readonly number: number
  /** HTTP status of the error. */
  readonly status: number
  /** Short title of the error, the same for all its occurrences. */
  readonly title: string
}

/** The error catalogue, with the HTTP status of each code. */
export const HTTP_ERRORS = Object.fromEntries(
  Object.entries(ERROR_CATALOGUE).map(([code, { number, kind, title }]) => [
    code,
    { number, status: STATUS_OF[kind], title },
  ]),
) as Readonly<Record<ErrorCode, HttpErrorRow>>
