import type { JsonObject } from '../shared/json'
import { unknownFields } from '../shared/known-names'
import { ERROR_CATALOGUE, type ErrorCode } from './catalogue'
import { type Decision, type Rejection, rejectInvalid, type ValidationIssue } from './decision'
import type { ErrorKind } from './error-row'

/** Error of the service's calls. `code` identifies the error; `detail` is a sentence that helps to solve the problem. */
export class ServiceError extends Error {
  /** Always `ServiceError`. */
  override readonly name = 'ServiceError'
  constructor(
    /** Code of the error, stable in all releases. */
    readonly code: ErrorCode,
    /** Sentence that explains this occurrence of the error. The wording may change. Default: the title in the catalogue. */
    readonly detail: string = ERROR_CATALOGUE[code].title,
    /** Data for programs about the error; `{}` without such data. The row of the catalogue describes the content. */
    readonly details: JsonObject = {},
    /**
     * Kind of the error, when it differs from the catalogue. For instance, PLAYER_NOT_IN_LOBBY is `absent` when the call applies to a
     * missing player.
     */
    readonly kind: ErrorKind = ERROR_CATALOGUE[code].kind,
    /** Seconds after which a retry may succeed; undefined when unknown. */
    readonly retryAfterSeconds?: number,
  ) {
    super(`${code}: ${detail}`)
  }

  /** Returns the error for a rejected decision. */
  static of({ code, detail, details, kind, retryAfterSeconds }: Rejection): ServiceError {
    return new ServiceError(code, detail, details ?? {}, kind, retryAfterSeconds)
  }
}

/** Whether an error says that the lobby, server or other thing to which a call applies does not exist, or no longer exists. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ServiceError && error.code.endsWith('_NOT_FOUND')

/** Returns the error VALIDATION_FAILED with its issues. The sentence contains the first issue. */
export const validationFailed = (issues: readonly ValidationIssue[]): ServiceError =>
  ServiceError.of(rejectInvalid(issues).rejected)

/** Throws VALIDATION_FAILED for an unknown field, and suggests the nearest known name, as the HTTP API does. */
export function refuseUnknown(given: object, known: readonly string[]): void {
  const issues = unknownFields(given, known)
  if (issues.length > 0) throw validationFailed(issues)
}

/** Returns the events of a decision. Throws a rejection as ServiceError. */
export function orThrow<E>(decision: Decision<E>): readonly E[] {
  if (!decision.ok) throw ServiceError.of(decision.rejected)
  return decision.events
}

export type { ValidationIssue }
