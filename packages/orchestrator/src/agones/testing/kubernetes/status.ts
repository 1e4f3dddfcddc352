/** Reasons of the Kubernetes API for refusals, each with its HTTP status. */
const CODES = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  AlreadyExists: 409,
  Conflict: 409,
  Expired: 410,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
} as const

export type Reason = keyof typeof CODES

/** A refusal of the Kubernetes API, sent as an object of kind `Status`. */
export class ApiStatus extends Error {
  readonly code: number

  constructor(
    readonly reason: Reason,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly metadata: { readonly continue?: string } = {},
  ) {
    super(message)
    this.code = CODES[reason]
  }

  toJSON() {
    const { reason, message, code, details, metadata } = this
    return { kind: 'Status', apiVersion: 'v1', metadata, status: 'Failure', message, reason, details, code }
  }
}

export const notFound = (plural: string, name: string): ApiStatus =>
  new ApiStatus('NotFound', `${plural} "${name}" not found`, { name, kind: plural })

export const conflict = (plural: string, name: string): ApiStatus =>
  new ApiStatus(
    'Conflict',
    `Operation cannot be fulfilled on ${plural} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
    { name, kind: plural },
  )

export const expired = (asked: string, oldest: number): ApiStatus =>
  new ApiStatus('Expired', `too old resource version: ${asked} (${oldest})`)
