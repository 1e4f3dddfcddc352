import type { ErrorCode } from '../errors/catalogue'
import type { JsonObject } from './json'

/** Why a command may not happen now: a row of the error catalogue, a sentence that helps to mend it, typed details. */
export interface Rejection {
  readonly code: ErrorCode
  readonly detail: string
  readonly details?: JsonObject
}

/** What a decider answers: the events that happen, or why nothing does. */
export type Decision<E> =
  | { readonly ok: true; readonly events: readonly E[] }
  | { readonly ok: false; readonly rejected: Rejection }

export const accept = <E>(...events: E[]): Decision<E> => ({ ok: true, events })

export const reject = (code: ErrorCode, detail: string, details?: JsonObject): { ok: false; rejected: Rejection } => ({
  ok: false,
  rejected: details === undefined ? { code, detail } : { code, detail, details },
})
