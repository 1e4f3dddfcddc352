import { MAX_JWKS_KEYS } from '../catalog/limits'
import { isJsonObject, type JsonObject } from '../shared/json'
import type { ProofAlgorithm } from './player-auth'

/** Members of a JWK that only private and symmetric keys have. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

export const isPrivateKey = (key: JsonObject): boolean => PRIVATE_MEMBERS.some((name) => Object.hasOwn(key, name))

/**
 * Whether a public key has the type that the algorithm needs and may verify signatures. The members `use`, `alg` and `key_ops` of the key
 * can only forbid a use.
 */
export function fitsAlgorithm(key: JsonObject, algorithm: ProofAlgorithm): boolean {
  if (isPrivateKey(key)) return false
  if (key.use !== undefined && key.use !== 'sig') return false
  if (key.alg !== undefined && key.alg !== algorithm) return false
  if (key.key_ops !== undefined && !(Array.isArray(key.key_ops) && key.key_ops.includes('verify'))) return false
  switch (algorithm) {
    case 'RS256':
      return key.kty === 'RSA'
    case 'ES256':
      return key.kty === 'EC' && key.crv === 'P-256'
    case 'EdDSA':
      return key.kty === 'OKP' && key.crv === 'Ed25519'
    case 'HS256':
      return false
  }
}

/**
 * Returns the keys that may have made a signature: the keys with the token's `kid`, or, for a token without `kid`, the only key that fits.
 * A token without `kid` is refused when several keys fit.
 */
export function candidates(
  keys: readonly JsonObject[],
  { algorithm, kid }: { readonly algorithm: ProofAlgorithm; readonly kid: string | undefined },
): readonly JsonObject[] {
  const fitting = keys.filter((key) => fitsAlgorithm(key, algorithm))
  if (kid !== undefined) return fitting.filter((key) => key.kid === kid)
  return fitting.length === 1 ? fitting : []
}

/** Returns the keys of a fetched key set; undefined when it is not a key set. Entries that are not keys are skipped. */
export function keysOfSet(set: unknown): readonly JsonObject[] | undefined {
  if (!isJsonObject(set) || !Array.isArray(set.keys)) return undefined
  return set.keys.filter(isJsonObject).slice(0, MAX_JWKS_KEYS)
}
