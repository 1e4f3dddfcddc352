import type { KubeStatus } from './shapes'

/** The interface refused a call. Its message is the platform's own and holds nothing of what was sent. */
export class ApiRefusal extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    /** How long it asks to be left alone. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message)
  }
}

/** The interface does not answer, or its answer was lost: what was asked may have been done. */
export class Unreachable extends Error {}

export const isRefused = (error: unknown, ...codes: number[]): error is ApiRefusal =>
  error instanceof ApiRefusal && codes.includes(error.code)

/**
 * Somebody has the name. Of any other 409 nothing is decided: the object changed meanwhile, or many are counted against one quota at once
 * ("Operation cannot be fulfilled on resourcequotas").
 */
export const isNameTaken = ({ code, reason }: ApiRefusal): boolean => code === 409 && reason === 'AlreadyExists'

/** The interface has judged what was asked (a schema, a right, a quota, a policy), and judges it the same when it is asked again. */
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
