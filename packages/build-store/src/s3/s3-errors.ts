import { BuildStoreAway } from '@matchyard/core/ports'

/** Thrown when the store does not answer, or refuses a request. The message contains no signed data. */
export class S3Refused extends BuildStoreAway {
  constructor(
    message: string,
    /** Error code of the store (`NoSuchBucket`) or of the system (`ECONNREFUSED`). */
    readonly code: string,
    readonly status: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Whether the error is temporary, so that another try may succeed. */
export const isPassing = ({ status }: S3Refused): boolean => status === undefined || status >= 500 || status === 429

/** Returns the system's error code of a failed connection, or a text for a message. */
export function connectionFault(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at.name === 'AbortError' || at.name === 'TimeoutError') return 'it took too long'
  }
  return 'the connection broke off'
}
