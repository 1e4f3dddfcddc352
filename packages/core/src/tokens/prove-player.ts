import { MAX_PLAYER_TOKEN } from '../catalog/limits'
import { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { ProofKey } from '../ports/player-tokens'
import type { Ports } from '../ports/ports'
import { candidates } from '../project/key-of-set'
import { type PlayerAuth, type PlayerIssuer, secretText } from '../project/player-auth'
import {
  invalidToken,
  issuerOfToken,
  type PlayerProof,
  proofOf,
  readToken,
  type TokenFault,
  type UnprovenToken,
} from '../project/player-token'
import type { JsonObject } from '../shared/json'

const SECRET_PURPOSE = 'player-issuer'

/** Returns the secret with which an issuer's backend signs player tokens (HS256). The secret is derived, not stored. */
export const issuerSecret = (ctx: Pick<Ports, 'tokens'>, projectId: string, secretId: string): Uint8Array =>
  ctx.tokens.derive(SECRET_PURPOSE, secretText(projectId, secretId))

/**
 * Verifies a player token. Returns the player and the state that the token claims. The project's settings determine the algorithm and the
 * key; the token does not. Throws INVALID_PLAYER_TOKEN. Throws UNAVAILABLE when no keys of the issuer are cached and reading them fails.
 */
export async function verifyPlayerToken(
  ctx: Service,
  projectId: string,
  { issuers }: PlayerAuth,
  token: string,
): Promise<PlayerProof> {
  const unproven = orInvalid(taken(ctx, token))
  const issuer = orInvalid(issuerOfToken(issuers, unproven))
  if (!(await isSigned(ctx, projectId, issuer, unproven, token))) {
    return orInvalid<PlayerProof>({ fault: 'its signature matches no key of its issuer' })
  }
  return orInvalid(proofOf(unproven, { issuer, projectId, at: ctx.clock.now() }))
}

function taken(ctx: Ports, token: string): UnprovenToken | TokenFault {
  if (token.length > MAX_PLAYER_TOKEN) return { fault: `it is longer than ${MAX_PLAYER_TOKEN} characters` }
  const texts = ctx.playerTokens.read(token)
  return texts === undefined ? { fault: 'it is not a signed JWT in compact form' } : readToken(texts)
}

function orInvalid<T extends object>(found: T | TokenFault): T {
  if ('fault' in found) throw ServiceError.of(invalidToken(found).rejected)
  return found
}

async function isSigned(
  ctx: Service,
  projectId: string,
  { keys }: PlayerIssuer,
  unproven: UnprovenToken,
  token: string,
): Promise<boolean> {
  if (keys.kind === 'secret') {
    return unproven.algorithm === 'HS256' && isSignedBySecret(ctx, secretText(projectId, keys.secretId), token)
  }
  if (keys.kind === 'jwks') return isSignedByOne(ctx, keys.keys, unproven, token)
  const known = await ctx.node.keySets.keysAt(keys.url)
  if (await isSignedByOne(ctx, known, unproven, token)) return true
  // The provider may have published a new key, even under an existing key id.
  const newer = await ctx.node.keySets.newerAt(keys.url, known)
  return newer !== known && isSignedByOne(ctx, newer, unproven, token)
}

async function isSignedBySecret(ctx: Ports, text: string, token: string): Promise<boolean> {
  for (const secret of ctx.tokens.deriveEach(SECRET_PURPOSE, text)) {
    if (await ctx.playerTokens.verify(token, { algorithm: 'HS256', secret })) return true
  }
  return false
}

async function isSignedByOne(
  ctx: Ports,
  keys: readonly JsonObject[],
  { algorithm, kid }: UnprovenToken,
  token: string,
): Promise<boolean> {
  if (algorithm === 'HS256') return false
  for (const jwk of candidates(keys, { algorithm, kid })) {
    const key: ProofKey = { algorithm, jwk }
    if (await ctx.playerTokens.verify(token, key)) return true
  }
  return false
}
