import type { JsonObject } from '../shared/json'

/**
 * `trusted`: a client says by `x-player-id` who it is, and is believed. `signed`: it says so by a token that the project's backend or
 * identity provider signed.
 */
export const PLAYER_AUTH_MODES = ['trusted', 'signed'] as const
export type PlayerAuthMode = (typeof PLAYER_AUTH_MODES)[number]

/** Algorithms of token signatures. HS256 goes with a generated secret only: a public key is not a secret. */
export const PROOF_ALGORITHMS = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
export type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number]

/** Algorithms with key pairs. */
export const KEY_PAIR_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const satisfies readonly ProofAlgorithm[]

/**
 * Keys for the verification of an issuer's signatures. A secret is not stored: it is derived from the installation's secret by this id, so that
 * a copy of the database can sign nothing (ADR 97).
 */
export type IssuerKeys =
  | { readonly kind: 'secret'; readonly secretId: string }
  | { readonly kind: 'jwks'; readonly keys: readonly JsonObject[] }
  | { readonly kind: 'url'; readonly url: string }

/** Somebody whose word counts for who a player is: the studio's backend, or an identity provider. */
export interface PlayerIssuer {
  /** The `iss` of its tokens. */
  readonly issuer: string
  /** Required entry of `aud` in the issuer's tokens; null: a token with any audience must name the project. */
  readonly audience: string | null
  readonly algorithms: readonly ProofAlgorithm[]
  readonly keys: IssuerKeys
  /** The claim that holds the player id. */
  readonly playerClaim: string
  /** The claim that holds trusted fields of the player's state. */
  readonly stateClaim: string
}

/** How players of a project prove who they are. */
export interface PlayerAuth {
  readonly mode: PlayerAuthMode
  readonly issuers: readonly PlayerIssuer[]
}

/** Player proof of a project without a setting. */
export const NO_PLAYER_AUTH: PlayerAuth = { mode: 'trusted', issuers: [] }

/** Whether a token that comes with a call means anything to the project. */
export const readsTokens = ({ mode, issuers }: PlayerAuth): boolean => mode === 'signed' || issuers.length > 0

/** Returns the text from which the secret of an issuer is derived: a secret of one issuer of one project is useless for others. */
export const secretText = (projectId: string, secretId: string): string => JSON.stringify([projectId, secretId])

/** Wish for an issuer; an absent field takes its default. */
export interface IssuerWish {
  readonly issuer: string
  readonly audience?: string | undefined
  /** Default: HS256 with a generated secret, else every algorithm of key pairs. */
  readonly algorithms?: readonly ProofAlgorithm[] | undefined
  /** Where a key set is read. */
  readonly jwksUrl?: string | undefined
  /** The key set itself (RFC 7517): public keys. */
  readonly jwks?: JsonObject | undefined
  /** Draws a secret, which is answered this once. Without any of the three an issuer keeps the secret that it has. */
  readonly generateSecret?: boolean | undefined
  /** Default `sub`. */
  readonly playerClaim?: string | undefined
  /** Default `state`. */
  readonly stateClaim?: string | undefined
}

const DEFAULT_PLAYER_CLAIM = 'sub'
const DEFAULT_STATE_CLAIM = 'state'

/** The issuer as it is kept. `before`: the one of this name until now; its secret stays unless another is wished for. Its faults are judged before. */
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
