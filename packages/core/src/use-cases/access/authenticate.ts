import type { Caller } from '../../access/caller'
import { type Operation, PERMISSIONS, type Permission } from '../../access/permissions'
import type { Context } from '../../context/context'
import { isServerToken } from '../../context/server-token'
import { ServiceError } from '../../errors/service-error'
import { authenticateKey } from './authenticate-key'
import { authenticateServerToken } from './authenticate-server'
import { authenticateSession } from './authenticate-session'

/** What a request carried. */
export interface Credentials {
  readonly apiKey?: string | undefined
  /** The token of `Authorization: Bearer`. */
  readonly bearer?: string | undefined
}

/**
 * Who calls; where both are sent the API key decides (docs/http-api.md §1).
 * Throws MISSING_CREDENTIALS, INVALID_API_KEY, INVALID_SESSION_TOKEN, SESSION_EXPIRED.
 */
export async function authenticate(ctx: Context, { apiKey, bearer }: Credentials): Promise<Caller> {
  if (apiKey !== undefined) return authenticateKey(ctx, apiKey)
  if (bearer === undefined) {
    throw new ServiceError('MISSING_CREDENTIALS', 'send an api-key header, or a session token as Authorization: Bearer')
  }
  return isServerToken(bearer) ? authenticateServerToken(ctx, bearer) : authenticateSession(ctx, bearer)
}

/** Refuses a real credential of a kind that the operation does not take. Throws CREDENTIAL_NOT_ALLOWED. */
export function authorize(operation: Operation, caller: Caller): void {
  const { credentials }: Permission = PERMISSIONS[operation]
  if (credentials.length === 0 || credentials.includes(caller.kind)) return
  const takes = credentials.map((kind) => KIND_NAMES[kind]).join(' or ')
  throw new ServiceError('CREDENTIAL_NOT_ALLOWED', `this call takes ${takes}, not ${KIND_NAMES[caller.kind]}`)
}

const KIND_NAMES: Readonly<Record<Caller['kind'], string>> = {
  client: 'a client key',
  server: 'a server key',
  session: 'a session token',
  'game-server': "a game server's token",
}
