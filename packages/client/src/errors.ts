import type { JsonObject, LobbyExit, ServiceErrorCode } from './api/types'

/** Error codes that only the client produces. */
export type ClientErrorCode =
  /** No answer came, however often it was tried; `cause` says why. */
  | 'UNREACHABLE'
  /** The answer did not come from the service: a proxy, a login page of the network. */
  | 'UNEXPECTED_ANSWER'
  /** The search came to nothing: the error is a `MatchmakingEnded`. */
  | 'MATCHMAKING_ENDED'
  /** The match has no server with a port of this name. */
  | 'NO_ENDPOINT'
  /** The lobby is over, or the player is not in it any more. */
  | 'LOBBY_CLOSED'

/** Every code that an error of this package can have: those of the service's catalogue, and the client's own. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode

/** Content of a new error. */
export interface ErrorInit {
  /** The number of the catalogue's row; 0 for a code of the client's own. */
  readonly number?: number
  /** Description of the error for a developer. */
  readonly detail: string
  /** Data for programs: `issues`, `limit`, `rule` … */
  readonly details?: JsonObject
  /** The HTTP status; 0 where nothing answered. */
  readonly status?: number
  /** To look it up in the service's log. */
  readonly requestId?: string
  /** Milliseconds after which it may be otherwise, where the service said so. */
  readonly retryAfterMs?: number | undefined
  /** Cause of the error. */
  readonly cause?: unknown
}

// Known by a mark and not by its class: two copies of the package in one page are two classes.
const MARK = Symbol.for('matchyard.error')
/** Defaults of an error without further data. */
const NOTHING_MORE = { number: 0, details: {}, status: 0, requestId: '', retryAfterMs: undefined }

/** A refusal of the service, or what came between. Act on `code`; show `detail` to a developer. */
export class MatchyardError extends Error {
  override readonly name: string = 'MatchyardError'
  /** Stable code of the error. */
  declare readonly code: ErrorCode
  /** The number of the catalogue's row, as stable as the code; 0 for the client's own. */
  declare readonly number: number
  /** Description of the error for a developer; the wording may change. */
  declare readonly detail: string
  /** Data for programs: `issues` of `VALIDATION_FAILED`, `rule` of `PARTY_CANNOT_MATCH` … */
  declare readonly details: JsonObject
  /** The HTTP status; 0 where nothing answered. */
  declare readonly status: number
  /** The request's id in the service's log, empty where nothing answered. */
  declare readonly requestId: string
  /** Milliseconds after which it may be otherwise, where the service said so. */
  declare readonly retryAfterMs: number | undefined

  constructor(code: ErrorCode, init: ErrorInit) {
    super(`${code}: ${init.detail}`, init)
    Object.assign(this, NOTHING_MORE, init, { code })
    Object.defineProperty(this, MARK, { value: true })
  }
}

/** The search for a match came to nothing. */
export class MatchmakingEnded extends MatchyardError {
  override readonly name = 'MatchmakingEnded'
  declare readonly code: 'MATCHMAKING_ENDED'
  /** Why the lobby is back in `waiting`, as `lobby.current.last_exit` says; null where the lobby itself is over. */
  readonly exit: LobbyExit | null

  constructor(exit: LobbyExit | null, detail = exit?.detail ?? 'the lobby is over') {
    super('MATCHMAKING_ENDED', { detail, details: { ...exit } })
    this.exit = exit
  }
}

/** The error that has a code. */
export type ErrorOf<C extends ErrorCode> = (C extends 'MATCHMAKING_ENDED' ? MatchmakingEnded : MatchyardError) & {
  readonly code: C
}

/**
 * Whether something that was thrown is an error of this package, and, where codes are given, one of them. Works across copies of the
 * package, where `instanceof` does not.
 */
export function isMatchyardError(error: unknown): error is MatchyardError
export function isMatchyardError<C extends ErrorCode>(error: unknown, ...codes: readonly C[]): error is ErrorOf<C>
export function isMatchyardError(error: unknown, ...codes: readonly ErrorCode[]): boolean {
  const { [MARK]: isOurs, code } = Object(error) as { readonly [MARK]?: true; readonly code: ErrorCode }
  return isOurs === true && (codes.length === 0 || codes.includes(code))
}

/** Passes over a refusal that says that what was wanted is so already. */
export const unless =
  (...codes: readonly ErrorCode[]) =>
  (error: unknown): void => {
    if (!isMatchyardError(error, ...codes)) throw error
  }
