import type { KubeStatus } from './shapes'

/**
 * Error when the cluster's API refuses a call. The message comes from the platform and contains nothing of the request.
 */
export class ApiRefusal extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    /** Milliseconds that the API asks to wait before the next call. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message)
  }
}

/**
 * Error of a call without an answer: the API is not reachable, or its answer was lost. The call may have taken effect.
 */
export class Unreachable extends Error {}

export const isRefused = (error: unknown, ...codes: number[]): error is ApiRefusal =>
  error instanceof ApiRefusal && codes.includes(error.code)

/**
 * Whether a call was refused because an object with this name exists. A 409 with another reason is only temporary: the
 * object changed meanwhile, or many objects are counted against one quota at once ("Operation cannot be fulfilled on
 * resourcequotas").
 */
export const isNameTaken = ({ code, reason }: ApiRefusal): boolean => code === 409 && reason === 'AlreadyExists'

/**
 * Whether the API refused a call for its content (a schema, a right, a quota, a policy). The API would refuse the same
 * call again.
 */
export const isJudgement = (error: ApiRefusal): boolean => isRefused(error, 400, 403, 422)

export const isQuota = (error: ApiRefusal): boolean =>
  error.code === 403 && /exceeded quota|forbidden: maximum|quota/i.test(error.message)

export function refusalOf(code: number, text: string, retryAfter: string | undefined): ApiRefusal {
  const seconds = Number(retryAfter)
  const retryAfterMs = seconds >= 0 ? seconds * 1_000 : undefined
  const status = statusIn(text)
  return new ApiRefusal(status?.code ?? code, status?.reason ?? '', status?.message ?? `answered ${code}`, retryAfterMs)
}

function statusIn(text: string): KubeStatus | undefined {
  try {
    const status = JSON.parse(text) as KubeStatus
    return status.kind === 'Status' ? status : undefined
  } catch {
    return undefined // a proxy in between answered
  }
}
