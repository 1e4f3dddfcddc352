import { ERROR_CATALOGUE, type ErrorCode, ServiceError } from '@matchyard/core'
import { cutAt, MAX_TOLD } from '@matchyard/core/domain'
import { type Logger, OutcomeUnknown, PayloadTooLarge, StorageUnavailable } from '@matchyard/core/ports'
import { statusOf } from './error-status'
import { type Answer, toResponse } from './exchange/answer'
import type { PathNames } from './wire/codec/index'
import { wireWords } from './wire/issue-path'

/** Media type of problem documents. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json'
/** Seconds after which a caller may retry when another system that Matchyard needs, such as the database, is down. */
const UNAVAILABLE_RETRY_SECONDS = 2

/**
 * Problem document (RFC 9457), with the stable identity of the error (`code`, `number`) and the data that a client
 * needs to react (`details`).
 */
export interface Problem {
  /** Address of the page that explains the error. */
  readonly type: string
  /** Short title of the error, the same for all its occurrences. */
  readonly title: string
  /** HTTP status of the answer. */
  readonly status: number
  /** Code of the error, for programs. */
  readonly code: ErrorCode
  /** Stable number of the error. */
  readonly number: number
  /** Sentence that explains this occurrence of the error. The wording may change. */
  readonly detail: string
  /** Id of the request: `req_` and a ULID. */
  readonly request_id: string
  /** Data for programs about the error; `{}` without such data. */
  readonly details: Record<string, unknown>
}

/**
 * Returns the answer for any thrown error; all error answers are made here. An unknown error becomes `INTERNAL` without
 * details. `names` are the field names in requests, for the paths of a validation error.
 */
export function problemAnswer(
  thrown: unknown,
  requestId: string,
  headers: Record<string, string>,
  logger: Logger,
  names?: PathNames,
): Answer {
  const error = refusalOf(thrown) ?? internal(thrown, requestId, logger)
  const status = statusOf(error)
  return {
    body: JSON.stringify(problemOf(error, requestId, names)),
    status,
    headers: {
      ...headers,
      'x-request-id': requestId,
      'content-type': PROBLEM_MEDIA_TYPE,
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...retryAfter(error),
    },
  }
}

/** Returns the code with which any thrown error is answered. */
export const codeOf = (thrown: unknown): ErrorCode => refusalOf(thrown)?.code ?? 'INTERNAL'

export const problemResponse = (...told: Parameters<typeof problemAnswer>): Response =>
  toResponse(problemAnswer(...told))

function retryAfter({ code, retryAfterSeconds }: ServiceError): Record<string, string> {
  const seconds = retryAfterSeconds ?? (code === 'UNAVAILABLE' ? UNAVAILABLE_RETRY_SECONDS : undefined)
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

function problemOf(error: ServiceError, requestId: string, names: PathNames | undefined): Problem {
  const { number, title } = ERROR_CATALOGUE[error.code]
  const { detail, details } = wireWords(error, names)
  return {
    type: `/errors/${error.code}`,
    title,
    status: statusOf(error),
    code: error.code,
    number,
    detail: cutAt(detail, MAX_TOLD.detail),
    request_id: requestId,
    details,
  }
}

function refusalOf(thrown: unknown): ServiceError | undefined {
  if (thrown instanceof ServiceError) return thrown
  if (thrown instanceof StorageUnavailable || thrown instanceof OutcomeUnknown) {
    return new ServiceError('UNAVAILABLE', 'the storage cannot be reached now; try again shortly')
  }
  if (thrown instanceof PayloadTooLarge) return new ServiceError('PAYLOAD_TOO_LARGE', thrown.message)
  return undefined
}

function internal(thrown: unknown, requestId: string, logger: Logger): ServiceError {
  const error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  logger.error('a request failed', { request_id: requestId, error })
  return new ServiceError('INTERNAL', 'an unexpected error happened; search the log of the service for the request id')
}
