import { BuildStoreAway } from '@matchyard/core/ports'

/** The store does not do what it is asked for: it does not answer, or says no. The message holds nothing of what was signed. */
export class S3Refused extends BuildStoreAway {
  constructor(
    message: string,
    /** What the store calls it (`NoSuchBucket`), or the system (`ECONNREFUSED`). */
    readonly code: string,
    readonly status: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What another try may mend by itself. */
export const isPassing = ({ status }: S3Refused): boolean => status === undefined || status >= 500 || status === 429

/** The system's word for a connection that came to nothing. */
export function connectionFault(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at.name === 'AbortError' || at.name === 'TimeoutError') return 'it took too long'
  }
  return 'the connection broke off'
}
