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
  /** A JWT, HS256: `sub` account, `jti` session. */
  issueSession(claims: SessionClaims): Promise<string>
  /** The claims of a token with a good signature, expired or not; undefined for anything else. */
  readSession(token: string): Promise<SessionClaims | undefined>
}
