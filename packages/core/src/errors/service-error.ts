import type { JsonObject } from '../shared/json'
import { unknownFields } from '../shared/known-names'
import { ERROR_CATALOGUE, type ErrorCode } from './catalogue'
import { type Decision, type Rejection, rejectInvalid, type ValidationIssue } from './decision'
import type { ErrorKind } from './error-row'

/** Error that use cases throw. `code` is its identity; `detail` is a sentence that helps to fix the problem. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  constructor(
    readonly code: ErrorCode,
    readonly detail: string = ERROR_CATALOGUE[code].title,
    readonly details: JsonObject = {},
    /** Where it differs from the catalogue's row: PLAYER_NOT_IN_LOBBY is `absent` of a player who was addressed. */
    readonly kind: ErrorKind = ERROR_CATALOGUE[code].kind,
    /** Seconds after which another try may go through, where that is known. */
    readonly retryAfterSeconds?: number,
  ) {
    super(`${code}: ${detail}`)
  }

  static of({ code, detail, details, kind, retryAfterSeconds }: Rejection): ServiceError {
    return new ServiceError(code, detail, details ?? {}, kind, retryAfterSeconds)
  }
}

/** Whether the lobby, server or other thing that was addressed is not there (any more). */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ServiceError && error.code.endsWith('_NOT_FOUND')

/** VALIDATION_FAILED with its issues, which are also the sentence. */
export const validationFailed = (issues: readonly ValidationIssue[]): ServiceError =>
  ServiceError.of(rejectInvalid(issues).rejected)

/** Throws VALIDATION_FAILED for a field that nobody knows, with the nearest name, as the wire does. */
export function refuseUnknown(given: object, known: readonly string[]): void {
  const issues = unknownFields(given, known)
  if (issues.length > 0) throw validationFailed(issues)
}

/** The events of a decision, or its rejection thrown. */
export function orThrow<E>(decision: Decision<E>): readonly E[] {
  if (!decision.ok) throw ServiceError.of(decision.rejected)
  return decision.events
}

export type { ValidationIssue }
