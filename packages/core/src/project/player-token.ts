import { freeFormFault } from '../catalog/free-form'
import { TOKEN_TIMES } from '../catalog/limits'
import { playerIdFault } from '../catalog/player-id'
import { type Decision, reject } from '../errors/decision'
import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json'
import { repeatedName } from '../shared/repeated-name'
import { type Instant, SECOND_MS } from '../shared/time'
import { type PlayerIssuer, PROOF_ALGORITHMS, type ProofAlgorithm } from './player-auth'

/** Fault of a token, as the end of a sentence. */
export interface TokenFault {
  readonly fault: string
}

/** Parsed token whose signature is not verified yet. Its content must not be trusted before the verification. */
export interface UnprovenToken {
  readonly algorithm: ProofAlgorithm
  readonly kid: string | undefined
  readonly issuer: string
  readonly claims: JsonObject
}

/** Proven content of a token: its signature is valid. */
export interface PlayerProof {
  /** Id of the player that the token names. */
  readonly playerId: string
  /** State of the player, as the issuer claims it. */
  readonly state: JsonObject
  /** Time at which the token expires. */
  readonly expiresAt: Instant
}

/** Header names that are refused. With these names a token could choose the key or the rules of its own verification. */
const REFUSED_HEADERS = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc', 'cty']

/**
 * Allowed values of the header `typ`. Another kind of token, signed with the same keys, is not a player token (RFC 8725, section 3.11).
 * Many issuers send no `typ`, which is allowed.
 */
const TYPES = ['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']

const MAX_KID_UNITS = 256

/** Parses a token from the JSON texts of its header and payload. Returns the token, or its fault. */
export function readToken(texts: { readonly header: string; readonly payload: string }): UnprovenToken | TokenFault {
  const header = parsed(texts.header)
  if (typeof header === 'string') return { fault: `its header ${header}` }
  const claims = parsed(texts.payload)
  if (typeof claims === 'string') return { fault: `its payload ${claims}` }
  const refused = REFUSED_HEADERS.find((name) => Object.hasOwn(header, name))
  if (refused !== undefined) return { fault: `its header contains ${refused}, which is not allowed in a player token` }
  const { alg, kid, typ } = header
  const algorithm = PROOF_ALGORITHMS.find((name) => name === alg)
  if (algorithm === undefined) return { fault: `its algorithm (alg) must be one of ${PROOF_ALGORITHMS.join(', ')}` }
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.includes(typ.toLowerCase()))) {
    return { fault: 'its type (typ) must be JWT or at+jwt' }
  }
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > MAX_KID_UNITS))
    return { fault: 'its key id (kid) is not valid' }
  const { iss } = claims
  if (typeof iss !== 'string') return { fault: 'it has no issuer (iss)' }
  return { algorithm, kid, issuer: iss, claims }
}

/** Returns the JSON object of a text, or its fault. */
function parsed(text: string): JsonObject | string {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return 'is not valid JSON'
  }
  if (!isJsonObject(value)) return 'is not a JSON object'
  const twice = repeatedName(text)
  return twice === undefined ? value : `contains the name ${JSON.stringify(twice.slice(0, 64))} twice`
}

/** Returns the issuer of the project that a token names in its claim `iss`. */
export function issuerOfToken(issuers: readonly PlayerIssuer[], token: UnprovenToken): PlayerIssuer | TokenFault {
  const known = issuers.find(({ issuer }) => issuer === token.issuer)
  if (known === undefined) return { fault: 'its issuer (iss) is not configured in the project' }
  if (!known.algorithms.includes(token.algorithm)) {
    return { fault: `its algorithm is ${token.algorithm}, but its issuer allows only ${known.algorithms.join(', ')}` }
  }
  return known
}

/** Reads the claims of a token whose signature is valid. Returns the player that they prove, or the fault of the token. */
export function proofOf(
  { claims }: UnprovenToken,
  { issuer, projectId, at }: { readonly issuer: PlayerIssuer; readonly projectId: string; readonly at: Instant },
): PlayerProof | TokenFault {
  const fault = audienceFault(claims.aud, issuer, projectId) ?? timeFault(claims, at)
  if (fault !== undefined) return { fault }
  const playerId = own(claims, issuer.playerClaim)
  if (typeof playerId !== 'string') return { fault: `its claim ${issuer.playerClaim} is not text` }
  const wrong = playerIdFault(playerId)
  if (wrong !== undefined) return { fault: `its claim ${issuer.playerClaim}, the player's id, ${wrong}` }
  const state = own(claims, issuer.stateClaim) ?? {}
  if (!isJsonObject(state)) return { fault: `its claim ${issuer.stateClaim} is not an object` }
  const tooMuch = freeFormFault(state)
  if (tooMuch !== undefined) return { fault: `its claim ${issuer.stateClaim} ${tooMuch}` }
  return { playerId, state, expiresAt: Number(claims.exp) * SECOND_MS }
}

const own = (claims: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(claims, name) ? claims[name] : undefined

/**
 * Returns the fault of the claim `aud`. A recipient that a token does not name must refuse the token (RFC 7519, section 4.1.3). Without a
 * configured audience, the recipient is the project.
 */
function audienceFault(aud: JsonValue | undefined, { audience }: PlayerIssuer, projectId: string): string | undefined {
  if (aud === undefined)
    return audience === null ? undefined : `it has no audience (aud); the issuer requires ${audience}`
  const named = typeof aud === 'string' ? [aud] : aud
  if (!Array.isArray(named) || !named.every((one) => typeof one === 'string')) return 'its audience (aud) is not text'
  if (named.includes(audience ?? projectId)) return undefined
  return audience === null
    ? `it is for another audience; the issuer has no configured audience, so the token must have no audience (aud), or the audience ${projectId}`
    : `it is for another audience; the issuer requires ${audience}`
}

/**
 * Returns the fault of the token's times. A leeway allows for differences between clocks. The maximum lifetime of a token is checked
 * separately.
 */
function timeFault({ exp, nbf, iat }: JsonObject, at: Instant): string | undefined {
  const { leewayMs, longestMs } = TOKEN_TIMES
  if (!isTime(exp)) return 'it has no expiry time (exp)'
  if (exp * SECOND_MS + leewayMs <= at) return 'it has expired'
  if (exp * SECOND_MS > at + longestMs + leewayMs) return 'it expires more than 24 hours from now'
  if (nbf !== undefined && !(isTime(nbf) && nbf * SECOND_MS <= at + leewayMs)) return 'it is not valid yet (nbf)'
  if (iat !== undefined && !(isTime(iat) && iat * SECOND_MS <= at + leewayMs))
    return 'its issue time (iat) is in the future'
  return undefined
}

const isTime = (value: JsonValue | undefined): value is number => typeof value === 'number' && Number.isFinite(value)

/** Rejects with INVALID_PLAYER_TOKEN, and with the fault as the message. */
export const invalidToken = ({ fault }: TokenFault) =>
  reject('INVALID_PLAYER_TOKEN', `the player token is not valid: ${fault}`)

/** Rejects with PLAYER_TOKEN_REQUIRED a call without a player token, in a project that requires tokens. */
export const tokenRequired = (): Decision<never> =>
  reject(
    'PLAYER_TOKEN_REQUIRED',
    'this project requires proof of identity: send a player token as authorization: Bearer, together with the api-key',
  )

/** Rejects with INVALID_PLAYER_TOKEN a call whose header `x-player-id` names another player than the token. */
export const otherPlayer = () =>
  invalidToken({
    fault: 'it belongs to a different player than the x-player-id header names; omit the header, or send the same id',
  })

/** Rejects with PLAYER_ID_REQUIRED a call that names no player. */
export const playerRequired = (): Decision<never> =>
  reject('PLAYER_ID_REQUIRED', 'send the id of the acting player in the x-player-id header')
