import type { JoinGrant } from '../match/join-token'
import type { Instant } from '../shared/time'

export interface SessionClaims {
  readonly accountId: string
  readonly sessionId: string
  readonly issuedAt: Instant
  readonly expiresAt: Instant
}

/**
 * Hashes and signatures, made with the installation's secret. While the secret is changed, two secrets are accepted, and one of them is in
 * force: it signs. `changingTokens` makes such a port of two ports with one secret each.
 */
export interface Tokens {
  /** Returns the SHA-256 of a text in hexadecimal digits. */
  hash(text: string): string
  /** Returns the HMAC-SHA-256 with the installation's secret in base64url. A signature for one `purpose` is invalid for every other. */
  sign(purpose: string, text: string): string
  /** Returns the signature of each accepted secret, as `sign`; the first is of the secret in force. */
  signEach(purpose: string, text: string): readonly string[]
  /** Returns the HMAC-SHA-256 of a text in base64, made with the given base64 key. Other systems verify these signatures. */
  signWith(key: string, text: string): string
  /** Whether an accepted secret makes this signature for this purpose and text. The comparison takes constant time. */
  verify(purpose: string, text: string, signature: string): boolean
  /**
   * Returns 32 bytes for one purpose and text, derived (HKDF-SHA-256) from the installation's secret. The bytes are the same on every node,
   * and reveal neither the secret nor the bytes of another text. The derivation is separate from `sign`: a derived key never verifies a
   * signature of `sign`. With `at`, the bytes are derived from the secret that was in force at that instant. Default: now.
   */
  derive(purpose: string, text: string, at?: Instant): Uint8Array
  /** Returns the bytes of `derive` for each accepted secret; the first are of the secret in force. */
  deriveEach(purpose: string, text: string): readonly Uint8Array[]
  /**
   * Returns a text encrypted with AES-256-GCM and a key of 32 bytes, in base64url. `about` is not secret and not in the result; it must be the
   * same to read the text.
   */
  seal(key: Uint8Array, text: string, about: string): string
  /** Returns the text that `seal` encrypted; undefined with another key, with another `about`, and for a changed text. */
  unseal(key: Uint8Array, sealed: string, about: string): string | undefined
  /**
   * Returns a JWT for a game server, signed with HS256 and the given key. Its claims: `aud` match, `sub` player, `instance_id`, `team`,
   * `role`, and `iat` and `exp` in whole seconds. The same grant gives the same token.
   */
  issueJoinToken(key: Uint8Array, grant: JoinGrant): Promise<string>
  /** Returns a session token: a JWT (HS256) with the account in `sub` and the session in `jti`. */
  issueSession(claims: SessionClaims): Promise<string>
  /** Returns the claims of a session token with a valid signature, even when the token has expired; undefined for any other text. */
  readSession(token: string): Promise<SessionClaims | undefined>
}
