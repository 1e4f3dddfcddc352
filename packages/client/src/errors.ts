import type { JsonObject, LobbyExit, ServiceErrorCode } from './api/types'

/** Error codes that only the client produces. */
export type ClientErrorCode =
  /** No try of the call got an answer; `cause` has the reason. */
  | 'UNREACHABLE'
  /** The answer came from another program than the service, for example a proxy or the login page of a network. */
  | 'UNEXPECTED_ANSWER'
  /** The search ended without a match: the error is a `MatchmakingEnded`. */
  | 'MATCHMAKING_ENDED'
  /** The match has no server with a port of this name. */
  | 'NO_ENDPOINT'
  /** The lobby has ended, or the player is no longer in it. */
  | 'LOBBY_CLOSED'

/** All codes of this package's errors: the codes of the service's catalogue, and the codes of the client. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode

/** Values of a new error. */
export interface ErrorInit {
  /** Number of the code in the service's error catalogue; 0 for a code of the client. */
  readonly number?: number
  /** Description of the error for a developer. */
  readonly detail: string
  /** Data for programs: `issues`, `limit`, `rule` … */
  readonly details?: JsonObject
  /** HTTP status of the answer; 0 when no answer arrived. */
  readonly status?: number
  /** Id of the request in the service's log; empty when no answer arrived. */
  readonly requestId?: string
  /** Milliseconds after which the service accepts another attempt; undefined if the service named no time. */
  readonly retryAfterMs?: number | undefined
  /** Error that caused this error. */
  readonly cause?: unknown
}

// Symbol that marks the errors of this package. Two copies of the package in one page have two classes, but share the
// symbol.
const MARK = Symbol.for('matchyard.error')
/** Default values of an error. */
const NOTHING_MORE = { number: 0, details: {}, status: 0, requestId: '', retryAfterMs: undefined }

/** Error of a call: from the service, or from the network. Programs use `code`; `detail` is for a developer. */
export class MatchyardError extends Error {
  override readonly name: string = 'MatchyardError'
  /** Stable code of the error. */
  declare readonly code: ErrorCode
  /** Stable number of the code in the service's error catalogue; 0 for a code of the client. */
  declare readonly number: number
  /** Description of the error for a developer; the wording may change. */
  declare readonly detail: string
  /** Data for programs: `issues` of `VALIDATION_FAILED`, `rule` of `PARTY_CANNOT_MATCH` … */
  declare readonly details: JsonObject
  /** HTTP status of the answer; 0 when no answer arrived. */
  declare readonly status: number
  /** Id of the request in the service's log; empty when no answer arrived. */
  declare readonly requestId: string
  /** Milliseconds after which the service accepts another attempt; undefined if the service named no time. */
  declare readonly retryAfterMs: number | undefined
  /**
   * Id of the match that keeps the player out of another match; only of `PLAYER_IN_MATCH`. If the lobby has several such
   * players, `details.players` lists all of them, and this is the match of the first.
   */
  declare readonly matchId: string | undefined

  constructor(code: ErrorCode, init: ErrorInit) {
    super(`${code}: ${init.detail}`, init)
    const [held] = (init.details?.players ?? []) as readonly { readonly match_id?: string }[]
    Object.assign(this, NOTHING_MORE, init, { code, matchId: held?.match_id })
    Object.defineProperty(this, MARK, { value: true })
  }
}

/** The search ended without a match. */
export class MatchmakingEnded extends MatchyardError {
  override readonly name = 'MatchmakingEnded'
  declare readonly code: 'MATCHMAKING_ENDED'
  /** Exit of the lobby back to `waiting`, as in `lobby.current.last_exit`; null when the lobby itself has ended. */
  readonly exit: LobbyExit | null

  constructor(exit: LobbyExit | null, detail = exit?.detail ?? 'the lobby is over') {
    super('MATCHMAKING_ENDED', { detail, details: { ...exit } })
    this.exit = exit
  }
}

/** Type of an error with a given code. */
export type ErrorOf<C extends ErrorCode> = (C extends 'MATCHMAKING_ENDED' ? MatchmakingEnded : MatchyardError) & {
  readonly code: C
}

/**
 * Whether a thrown value is an error of this package. If codes are given, the error must also have one of these codes.
 * Works across copies of the package, where `instanceof` does not.
 */
export function isMatchyardError(error: unknown): error is MatchyardError
export function isMatchyardError<C extends ErrorCode>(error: unknown, ...codes: readonly C[]): error is ErrorOf<C>
export function isMatchyardError(error: unknown, ...codes: readonly ErrorCode[]): boolean {
  const { [MARK]: isOurs, code } = Object(error) as { readonly [MARK]?: true; readonly code: ErrorCode }
  return isOurs === true && (codes.length === 0 || codes.includes(code))
}

/**
 * Returns a handler that ignores errors with one of these codes. Such an error means that the state which the call
 * should reach exists already.
 */
export const unless =
  (...codes: readonly ErrorCode[]) =>
  (error: unknown): void => {
    if (!isMatchyardError(error, ...codes)) throw error
  }
