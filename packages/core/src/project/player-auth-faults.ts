import { freeFormFault } from '../catalog/free-form'
import { CLAIM_LENGTH, ISSUER_LENGTH, JWKS_URL_LENGTH, MAX_ISSUERS, MAX_JWKS_KEYS, type Range } from '../catalog/limits'
import { UNSEEN_RULE } from '../catalog/names'
import type { ValidationIssue } from '../errors/decision'
import { spokenField } from '../errors/spoken-names'
import { isJsonObject, type JsonObject } from '../shared/json'
import { unknownFields } from '../shared/known-names'
import { holdsUnseen, quoted } from '../shared/plain-text'
import { fitsAlgorithm, isPrivateKey } from './key-of-set'
import {
  type IssuerWish,
  KEY_PAIR_ALGORITHMS,
  PLAYER_AUTH_MODES,
  type PlayerAuth,
  type PlayerAuthMode,
  PROOF_ALGORITHMS,
  type ProofAlgorithm,
} from './player-auth'

/** Setting of how players prove their identity, as a caller sends it. */
export interface PlayerAuthWish {
  /** How players prove their identity. */
  readonly mode: PlayerAuthMode
  /** Default: none. */
  readonly issuers?: readonly IssuerWish[] | undefined
}

const WISH_FIELDS: { readonly [Name in keyof Required<IssuerWish>]: true } = {
  issuer: true,
  audience: true,
  algorithms: true,
  jwksUrl: true,
  jwks: true,
  generateSecret: true,
  playerClaim: true,
  stateClaim: true,
}

/** Returns the faults of the setting that a caller sent; empty when it is valid. `before` is the present setting of the project. */
export function playerAuthFaults({ mode, issuers = [] }: PlayerAuthWish, before: PlayerAuth): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const add = (path: string, message: string) => issues.push({ path, message })
  if (!PLAYER_AUTH_MODES.includes(mode)) add('mode', `must be one of ${PLAYER_AUTH_MODES.join(', ')}`)
  if (mode === 'signed' && issuers.length === 0) add('issuers', 'must have at least one issuer')
  if (issuers.length > MAX_ISSUERS) add('issuers', `must have at most ${MAX_ISSUERS} issuers`)
  issuers.forEach((wish, index) => {
    const known = before.issuers.find(({ issuer }) => issuer === wish.issuer)
    issues.push(...issuerFaults(wish, `issuers.${index}`, known?.keys.kind === 'secret'))
    if (issuers.findIndex(({ issuer }) => issuer === wish.issuer) < index) {
      add(`issuers.${index}.issuer`, 'appears twice')
    }
  })
  return issues
}

function issuerFaults(wish: IssuerWish, path: string, hasSecret: boolean): ValidationIssue[] {
  const issues: ValidationIssue[] = [...unknownFields(wish, Object.keys(WISH_FIELDS), `${path}.`)]
  const add = (field: string, message: string) => issues.push({ path: `${path}.${field}`, message })
  const inLength = (field: string, value: string | undefined, range: Range) => {
    const fault = value === undefined ? undefined : textFault(value, range)
    if (fault !== undefined) add(field, fault)
  }
  inLength('issuer', wish.issuer ?? '', ISSUER_LENGTH)
  inLength('audience', wish.audience, ISSUER_LENGTH)
  inLength('playerClaim', wish.playerClaim, CLAIM_LENGTH)
  inLength('stateClaim', wish.stateClaim, CLAIM_LENGTH)
  inLength('jwksUrl', wish.jwksUrl, JWKS_URL_LENGTH)
  const ways = [wish.jwksUrl !== undefined, wish.jwks !== undefined, wish.generateSecret === true]
  const chosen = ways.filter(Boolean).length
  if (chosen > 1 || (chosen === 0 && !hasSecret)) {
    add(
      'issuer',
      `must have exactly one of these: jwks (a key set), ${spokenField('jwksUrl')} (the URL of a key set), ${spokenField('generateSecret')}: true`,
    )
  }
  const usesSecret = wish.generateSecret === true || (chosen === 0 && hasSecret)
  issues.push(...algorithmFaults(wish, `${path}.algorithms`, usesSecret))
  if (wish.jwks !== undefined) issues.push(...keySetFaults(wish.jwks, `${path}.jwks`, wish.algorithms))
  return issues
}

function algorithmFaults({ algorithms }: IssuerWish, path: string, usesSecret: boolean): ValidationIssue[] {
  if (algorithms === undefined) return []
  if (algorithms.length === 0) return [{ path, message: 'must name an algorithm' }]
  const wrong = algorithms.find((name) => !PROOF_ALGORITHMS.includes(name))
  if (wrong !== undefined) return [{ path, message: `must be one of ${PROOF_ALGORITHMS.join(', ')}` }]
  const twice = algorithms.find((name, index) => algorithms.indexOf(name) !== index)
  if (twice !== undefined) return [{ path, message: `must not contain ${twice} twice` }]
  if (usesSecret) {
    const isHmac = algorithms.every((name) => name === 'HS256')
    return isHmac ? [] : [{ path, message: 'must be only HS256 when the secret is generated' }]
  }
  if (!algorithms.includes('HS256')) return []
  return [
    {
      path,
      message: `must be one of ${KEY_PAIR_ALGORITHMS.join(', ')} for a key set; HS256 is possible only with a generated secret`,
    },
  ]
}

/**
 * Returns the faults of a key set that was sent in the settings. Keys that do not verify signatures are skipped if the set has at least one
 * key that does. The same is true of key sets from a URL, because identity providers publish encryption keys beside signing keys. Private
 * and symmetric keys in a set that was sent are always refused, so that the sender learns of the mistake.
 */
function keySetFaults(
  set: JsonObject,
  path: string,
  algorithms: readonly ProofAlgorithm[] = KEY_PAIR_ALGORITHMS,
): ValidationIssue[] {
  const { keys } = set
  if (!Array.isArray(keys)) return [{ path: `${path}.keys`, message: 'must be an array of keys (RFC 7517)' }]
  if (keys.length === 0 || keys.length > MAX_JWKS_KEYS) {
    return [{ path: `${path}.keys`, message: `must have 1 to ${MAX_JWKS_KEYS} keys` }]
  }
  const tooMuch = freeFormFault(set)
  if (tooMuch !== undefined) return [{ path, message: tooMuch }]
  const fits = (key: unknown) => isJsonObject(key) && algorithms.some((name) => fitsAlgorithm(key, name))
  const told = keys.some(fits)
    ? refusalOf
    : (key: unknown) => refusalOf(key) ?? whyNoneFits(key as JsonObject, algorithms)
  return keys.flatMap((key, index) => {
    const message = told(key)
    return message === undefined ? [] : [{ path: `${path}.keys.${index}`, message }]
  })
}

function refusalOf(key: unknown): string | undefined {
  if (!isJsonObject(key)) return 'must be a key (RFC 7517)'
  if (key.kty === 'oct')
    return `is a shared secret; send only public keys, or set ${spokenField('generateSecret')}: true`
  if (isPrivateKey(key))
    return 'contains a private key, which must never be sent; create a new key pair and send only its public key'
  return undefined
}

/** Returns the reason why a public key cannot verify tokens, for the message about a set without any usable key. */
function whyNoneFits({ use, alg, key_ops: operations }: JsonObject, algorithms: readonly ProofAlgorithm[]): string {
  const wanted = algorithms.join(', ')
  if (use !== undefined && use !== 'sig') {
    return `is not a signing key: its use is ${quoted(String(use))}; send a key whose use is "sig"`
  }
  if (alg !== undefined && !algorithms.some((name) => name === alg)) {
    return `is for the algorithm ${quoted(String(alg))}; this issuer allows ${wanted}`
  }
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    return 'is not a verification key: its key_ops do not contain "verify"; send the key that verifies signatures'
  }
  return `has a key type that does not match ${wanted}: RS256 needs RSA, ES256 needs EC on P-256, EdDSA needs OKP on Ed25519`
}

function textFault(value: string, { min, max }: Range): string | undefined {
  const { length } = [...value]
  if (length < min || length > max) return `must be ${min} to ${max} characters long`
  return holdsUnseen(value) ? UNSEEN_RULE : undefined
}
