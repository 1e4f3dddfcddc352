import type { KubeStatus } from './shapes'

/** Refusal of a call by the cluster's API. The message is the platform's own and contains nothing of the request. */
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
 * Error of a call without an answer: the API is not reachable, or its answer was lost. The call may have had its
 * effects.
 */
export class Unreachable extends Error {}

export const isRefused = (error: unknown, ...codes: number[]): error is ApiRefusal =>
  error instanceof ApiRefusal && codes.includes(error.code)

/**
 * Whether the name of a new object is taken. No other 409 decides anything: the object changed meanwhile, or many
 * objects are counted against one quota at once ("Operation cannot be fulfilled on resourcequotas").
 */
export const isNameTaken = ({ code, reason }: ApiRefusal): boolean => code === 409 && reason === 'AlreadyExists'

/**
 * Whether the API refused a call for its content (a schema, a right, a quota, a policy). The same call would be refused
 * again.
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
