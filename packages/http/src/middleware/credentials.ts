import { type Caller, type CredentialKind, type Matchyard, type Permission, ServiceError } from '@matchyard/core'
import { requireRole } from '@matchyard/core/domain'
import type { Exchange } from '../exchange/exchange'
import { OPERATIONS, type Operation } from '../operations'
import { credentialOf } from './bearer'
import type { KnownCallers } from './known-callers'

/** Prefix of the tokens that game servers read from their configuration files. */
const SERVER_TOKEN_PREFIX = 'srvt_'
/** Prefix of the tokens of machines. */
const MACHINE_TOKEN_PREFIX = 'mt_live_'

/**
 * Resolves to the caller; undefined if the operation needs no credential. First checks that the credential is valid
 * (401), then that this kind of credential may call the operation (403). If there are both an API key and a session,
 * the key decides (docs/http-api.md §1). Rejects with `MISSING_CREDENTIALS`, `INVALID_API_KEY`,
 * `INVALID_SESSION_TOKEN`, `SESSION_EXPIRED`, `INVALID_MACHINE_TOKEN`, `CREDENTIAL_NOT_ALLOWED`, or `ROLE_NOT_ALLOWED` for a server key with a
 * role that is too low.
 */
export async function authenticate(
  matchyard: Matchyard,
  operation: Operation,
  exchange: Exchange,
  callers: Pick<KnownCallers, 'learn' | 'forget'>,
): Promise<Caller | undefined> {
  const { credentials, role }: Permission = OPERATIONS[operation]
  if (credentials.length === 0) return undefined
  const credential = credentialOf(exchange)
  if (credential === undefined)
    throw new ServiceError('MISSING_CREDENTIALS', `no credential was sent; ${wanted(credentials)}`)
  const caller = await identify(matchyard, exchange, credential).catch((error: unknown) => {
    if (isRefused(error)) callers.forget(credential)
    throw error
  })
  callers.learn(credential, caller)
  if (!credentials.includes(caller.kind)) {
    throw new ServiceError(
      'CREDENTIAL_NOT_ALLOWED',
      `this operation does not accept ${NAMES[caller.kind]}; ${wanted(credentials)}`,
    )
  }
  requireRole(caller, role)
  return caller
}

function identify(matchyard: Matchyard, exchange: Exchange, credential: string): Promise<Caller> {
  if (exchange.header('api-key') !== undefined) return matchyard.access.authenticateKey(credential)
  if (credential.startsWith(SERVER_TOKEN_PREFIX)) return matchyard.access.authenticateServerToken(credential)
  if (credential.startsWith(MACHINE_TOKEN_PREFIX)) return identifyMachine(matchyard, credential)
  return matchyard.access.authenticateSession(credential)
}

async function identifyMachine(matchyard: Matchyard, token: string): Promise<Caller> {
  return { kind: 'machine', ...(await matchyard.access.authenticateMachine(token)) }
}

/**
 * Whether an error means that the credential was checked and is invalid. If the storage is down, no credential can be
 * checked.
 */
const isRefused = (error: unknown): boolean => error instanceof ServiceError && error.code !== 'UNAVAILABLE'

const NAMES: Record<CredentialKind, string> = {
  client: 'a client key',
  server: 'a server key',
  session: 'a session token',
  'game-server': "a game server's token",
  machine: "a machine's token",
}

const SENT_AS: Record<CredentialKind, string> = {
  client: 'a client key (api-key: ck_live_…)',
  server: 'a server key (api-key: sk_live_…)',
  session: 'a session token (authorization: Bearer …)',
  'game-server': "the game server's own token (authorization: Bearer …)",
  machine: "the machine's token (authorization: Bearer mt_live_…)",
}

const wanted = (credentials: readonly CredentialKind[]) =>
  `send ${credentials.map((kind) => SENT_AS[kind]).join(' or ')}`
