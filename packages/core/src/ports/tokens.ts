import type { JoinGrant } from '../match/join-token'
import type { Instant } from '../shared/time'

export interface SessionClaims {
  readonly accountId: string
  readonly sessionId: string
  readonly issuedAt: Instant
  readonly expiresAt: Instant
}

/** Hashes and signatures with the installation's secret. */
export interface Tokens {
  /** SHA-256, hexadecimal. */
  hash(text: string): string
  /** HMAC-SHA-256 with the installation's secret, base64url. `purpose` keeps signatures of one use from serving another. */
  sign(purpose: string, text: string): string
  /** HMAC-SHA-256 with a key of its own, base64 as the answer is; for signatures that others verify. */
  signWith(key: string, text: string): string
  /** In constant time. */
  verify(purpose: string, text: string, signature: string): boolean
  /**
   * 32 bytes for one purpose and text, derived (HKDF-SHA-256) from the installation's secret: the same on every node, and useless for guessing
   * the secret or the bytes of another text. It is separate from `sign`: a key derived here never verifies a signature there.
   */
  derive(purpose: string, text: string): Uint8Array
  /**
   * A JWT, HS256 by that key, which a game server verifies: `aud` match, `sub` player, `instance_id`, `team`, `role`, and `iat` and `exp`
   * in whole seconds. The same grant is the same token.
   */
  issueJoinToken(key: Uint8Array, grant: JoinGrant): Promise<string>
  /** A JWT, HS256: `sub` account, `jti` session. */
  issueSession(claims: SessionClaims): Promise<string>
  /** The claims of a token with a good signature, expired or not; undefined for anything else. */
  readSession(token: string): Promise<SessionClaims | undefined>
}
