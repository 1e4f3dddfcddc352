import type { JsonObject } from '../shared/json'

/**
 * How players prove their identity. `trusted`: the service accepts the header `x-player-id` of a client without proof. `signed`: a client
 * needs a token that the project's backend or identity provider signed.
 */
export const PLAYER_AUTH_MODES = ['trusted', 'signed'] as const
/** How players prove their identity, one of `PLAYER_AUTH_MODES`. */
export type PlayerAuthMode = (typeof PLAYER_AUTH_MODES)[number]

/**
 * Algorithms of token signatures. HS256 is only for secrets that the service generated; a public key must never be used as an HS256 secret.
 */
export const PROOF_ALGORITHMS = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
/** Algorithm of a token signature, one of `PROOF_ALGORITHMS`. */
export type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number]

/** Algorithms that sign with a private key and verify with a public key. */
export const KEY_PAIR_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const satisfies readonly ProofAlgorithm[]

/**
 * Keys by which the service verifies an issuer's signatures. A secret is not stored. It is derived from the installation's secret and this
 * id, so that a copy of the database cannot sign tokens (ADR 97).
 */
export type IssuerKeys =
  | {
      /** A secret that the service generated; the issuer signs with HS256. */
      readonly kind: 'secret'
      /** Id of the secret: `sec_` and a ULID. The secret is derived from it. */
      readonly secretId: string
    }
  | {
      /** Public keys in the settings. */
      readonly kind: 'jwks'
      /** Public keys as JSON Web Keys, at most 32. */
      readonly keys: readonly JsonObject[]
    }
  | {
      /** Public keys at a URL. */
      readonly kind: 'url'
      /** https address of the JSON Web Key Set. */
      readonly url: string
    }

/** Issuer of player tokens: the studio's backend, or an identity provider. */
export interface PlayerIssuer {
  /** Value of the claim `iss` in the issuer's tokens. */
  readonly issuer: string
  /**
   * Required entry of the claim `aud` in the issuer's tokens. null: a token needs no `aud`, but a token that has an `aud` must name the
   * project's id in it.
   */
  readonly audience: string | null
  /** Accepted signature algorithms. */
  readonly algorithms: readonly ProofAlgorithm[]
  /** Keys by which signatures are verified. */
  readonly keys: IssuerKeys
  /** Claim that contains the player id. */
  readonly playerClaim: string
  /** Claim that contains values of trusted fields of the player's state. */
  readonly stateClaim: string
}

/** How players of a project prove their identity. */
export interface PlayerAuth {
  /** How players prove their identity. */
  readonly mode: PlayerAuthMode
  /** Issuers of the project's player tokens, at most 5. */
  readonly issuers: readonly PlayerIssuer[]
}

/** Setting of a project that has not configured player authentication: `trusted`, without issuers. */
export const NO_PLAYER_AUTH: PlayerAuth = { mode: 'trusted', issuers: [] }

/** Whether the project reads player tokens that come with calls. */
export const readsTokens = ({ mode, issuers }: PlayerAuth): boolean => mode === 'signed' || issuers.length > 0

/**
 * Returns the text from which the secret of an issuer is derived. The text is different for each issuer and project, so their secrets
 * differ too.
 */
export const secretText = (projectId: string, secretId: string): string => JSON.stringify([projectId, secretId])

/** Settings of an issuer, as a caller sends them; an absent field gets its default. */
export interface IssuerWish {
  /** Name of the issuer, exactly as in `iss` of its tokens: 1 to 512 characters. */
  readonly issuer: string
  /**
   * Audience that `aud` of the issuer's tokens must contain. Default: tokens need no audience, but a token's audience must be the
   * project.
   */
  readonly audience?: string | undefined
  /** Default: HS256 with a generated secret; with a key set, every algorithm of key pairs. */
  readonly algorithms?: readonly ProofAlgorithm[] | undefined
  /** URL of the issuer's key set. */
  readonly jwksUrl?: string | undefined
  /** Public keys of the issuer, as a key set (RFC 7517). */
  readonly jwks?: JsonObject | undefined
  /**
   * Whether the service generates a new secret, which is returned only once. An issuer without `jwksUrl`, `jwks` and `generateSecret` keeps
   * its present secret.
   */
  readonly generateSecret?: boolean | undefined
  /** Claim that contains the player id. Default: `sub`. */
  readonly playerClaim?: string | undefined
  /** Claim that contains values of trusted fields. Default: `state`. */
  readonly stateClaim?: string | undefined
}

const DEFAULT_PLAYER_CLAIM = 'sub'
const DEFAULT_STATE_CLAIM = 'state'

/**
 * Returns the issuer as it is stored. `before` is the present issuer with this name; its secret stays unless `wish` has other keys. The
 * caller has checked `wish` for faults.
 */
export function issuerOf(wish: IssuerWish, before: PlayerIssuer | undefined, newSecretId: () => string): PlayerIssuer {
  const keys = keysOf(wish, before, newSecretId)
  return {
    issuer: wish.issuer,
    audience: wish.audience ?? null,
    algorithms: wish.algorithms ?? (keys.kind === 'secret' ? ['HS256'] : KEY_PAIR_ALGORITHMS),
    keys,
    playerClaim: wish.playerClaim ?? DEFAULT_PLAYER_CLAIM,
    stateClaim: wish.stateClaim ?? DEFAULT_STATE_CLAIM,
  }
}

function keysOf(wish: IssuerWish, before: PlayerIssuer | undefined, newSecretId: () => string): IssuerKeys {
  if (wish.jwksUrl !== undefined) return { kind: 'url', url: wish.jwksUrl }
  if (wish.jwks !== undefined) return { kind: 'jwks', keys: wish.jwks.keys as JsonObject[] }
  if (wish.generateSecret !== true && before?.keys.kind === 'secret') return before.keys
  return { kind: 'secret', secretId: newSecretId() }
}
