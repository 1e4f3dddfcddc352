import type { GameServerErrorCode } from '../api/types'

interface Refusal {
  readonly code: GameServerErrorCode
  readonly number: number
  readonly status: number
  readonly detail: string
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string | null
}

/** Error of a call to the service, with the same fields as the error of the game client. */
export class MatchyardError extends Error {
  override readonly name = 'MatchyardError'
  /** Code of the error. */
  readonly code: GameServerErrorCode
  /** Number of the error's code in the catalogue. */
  readonly number: number
  /** HTTP status; 0 if no answer arrived. */
  readonly status: number
  /** Description of the error for a developer; the wording may change. */
  readonly detail: string
  /** Data for programs, such as `issues` of VALIDATION_FAILED. */
  readonly details: Readonly<Record<string, unknown>>
  /** Id of the request in the service's log; null if no answer arrived. */
  readonly requestId: string | null

  constructor({ code, number, status, detail, details, requestId }: Refusal, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options)
    this.code = code
    this.number = number
    this.status = status
    this.detail = detail
    this.details = details
    this.requestId = requestId
  }
}

/**
 * Whether a thrown value is an error of the service and, if a code is given, has this code. Works across copies of the
 * package.
 */
export function isMatchyardError<Code extends GameServerErrorCode>(
  error: unknown,
  code?: Code,
): error is MatchyardError & { readonly code: Code } {
  if (!(error instanceof Error) || error.name !== 'MatchyardError' || !('code' in error)) return false
  return code === undefined || error.code === code
}

const UNAVAILABLE = 8007

/** Returns the error for a missing answer, or for an answer that is not from the service. */
export const unreachable = (detail: string, status: number, cause?: unknown): MatchyardError =>
  new MatchyardError(
    { code: 'UNAVAILABLE', number: UNAVAILABLE, status, detail, details: {}, requestId: null },
    { cause },
  )

/**
 * Returns the error of an answer. An answer that is not a problem document came from another program, such as a proxy.
 */
export async function refusalOf(answer: Response): Promise<MatchyardError> {
  const text = await answer.text()
  try {
    const { code, number, detail, details = {}, request_id: requestId = null } = JSON.parse(text)
    if (typeof code === 'string')
      return new MatchyardError({ code, number, detail, details, requestId, status: answer.status } as Refusal)
  } catch {
    // The answer is not JSON, or it is null; the code below handles it.
  }
  return unreachable(`the answer was ${answer.status}, and not the service's: ${text.slice(0, 200)}`, answer.status)
}
