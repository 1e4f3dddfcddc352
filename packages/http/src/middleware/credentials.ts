import {
  type Caller,
  type CredentialKind,
  type Matchyard,
  mayCall,
  type Operation,
  PERMISSIONS,
  type Permission,
  ServiceError,
} from '@matchyard/core'
import type { Exchange } from '../exchange/exchange'

/** What game servers send: the token of their own configuration file. */
const SERVER_TOKEN_PREFIX = 'srvt_'

/**
 * Who calls: first whether the credential is real (401), then whether its kind may do this (403). With both an API key and a
 * session the key decides (docs/http-api.md §1). Throws MISSING_CREDENTIALS, INVALID_API_KEY, INVALID_SESSION_TOKEN, SESSION_EXPIRED,
 * CREDENTIAL_NOT_ALLOWED.
 */
export async function authenticate(
  matchyard: Matchyard,
  operation: Operation,
  exchange: Exchange,
): Promise<Caller | undefined> {
  const { credentials }: Permission = PERMISSIONS[operation]
  if (credentials.length === 0) return undefined
  const caller = await identify(matchyard, exchange, credentials)
  if (!mayCall(operation, caller.kind)) {
    throw new ServiceError(
      'CREDENTIAL_NOT_ALLOWED',
      `${NAMES[caller.kind]} may not be used here; ${wanted(credentials)}`,
    )
  }
  return caller
}

function identify(matchyard: Matchyard, exchange: Exchange, credentials: readonly CredentialKind[]): Promise<Caller> {
  const key = exchange.header('api-key')
  if (key !== undefined) return matchyard.access.authenticateKey(key)
  const bearer = bearerOf(exchange)
  if (bearer === undefined)
    throw new ServiceError('MISSING_CREDENTIALS', `no credential was sent; ${wanted(credentials)}`)
  if (bearer.startsWith(SERVER_TOKEN_PREFIX)) return matchyard.access.authenticateServerToken(bearer)
  return matchyard.access.authenticateSession(bearer)
}

/** What was sent as `authorization: Bearer …`, in any case (RFC 9110 §11.1); undefined where nothing of the kind was. */
export function bearerOf(exchange: Exchange): string | undefined {
  const header = exchange.header('authorization')
  return header === undefined ? undefined : /^bearer +(\S+)$/i.exec(header.trim())?.[1]
}

const NAMES: Record<CredentialKind, string> = {
  client: 'a client key',
  server: 'a server key',
  session: 'a session token',
  'game-server': "a game server's token",
}

const SENT_AS: Record<CredentialKind, string> = {
  client: 'a client key (api-key: ck_live_…)',
  server: 'a server key (api-key: sk_live_…)',
  session: 'a session token (authorization: Bearer …)',
  'game-server': "the game server's own token (authorization: Bearer …)",
}

const wanted = (credentials: readonly CredentialKind[]) =>
  `send ${credentials.map((kind) => SENT_AS[kind]).join(' or ')}`
