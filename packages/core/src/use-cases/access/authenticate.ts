import type { Caller } from '../../access/caller'
import { ServiceError } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { isServerToken } from '../../tokens/server-token'
import { authenticateKey } from './authenticate-key'
import { authenticateServerToken } from './authenticate-server'
import { authenticateSession } from './authenticate-session'

/** Credentials of a request. */
export interface Credentials {
  /** Value of the header `api-key`. */
  readonly apiKey?: string | undefined
  /** Token of `Authorization: Bearer`. */
  readonly bearer?: string | undefined
}

/**
 * Returns the caller of a request. When the request has both credentials, the API key determines the caller (docs/http-api.md §1). Throws
 * MISSING_CREDENTIALS, INVALID_API_KEY, INVALID_SESSION_TOKEN, SESSION_EXPIRED.
 */
export async function authenticate(ctx: Ports, { apiKey, bearer }: Credentials): Promise<Caller> {
  if (apiKey !== undefined) return authenticateKey(ctx, apiKey)
  if (bearer === undefined) {
    throw new ServiceError('MISSING_CREDENTIALS', 'send an api-key header, or a session token as Authorization: Bearer')
  }
  return isServerToken(bearer) ? authenticateServerToken(ctx, bearer) : authenticateSession(ctx, bearer)
}
