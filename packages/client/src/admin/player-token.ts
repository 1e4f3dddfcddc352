import { type CryptoKey, importJWK, importPKCS8, type JWK, SignJWT } from 'jose'
import type { JsonObject } from '../api/types'

const EXPIRES_IN_SECONDS = 3_600

/** Options of a player token. They must match the project's settings for the proof of player identities. */
export type PlayerTokenOptions = {
  /** Id of the player. */
  readonly playerId: string
  /** Issuer, exactly as in the project's `issuers`. */
  readonly issuer: string
  /** Audience of the issuer, if the issuer's settings have an audience. */
  readonly audience?: string | undefined
  /** Lifetime in seconds: 3,600 by default, at most 86,400. */
  readonly expiresInSeconds?: number | undefined
  /** Values of the queues' `trusted_fields`: facts that players cannot set themselves, such as their rating. */
  readonly state?: JsonObject | undefined
} & (
  | {
      /** Secret that the service generated for the issuer. */
      readonly secret: string
    }
  | {
      /** Private key of the issuer: PKCS 8 in PEM form, or a JWK. */
      readonly privateKey: string | JWK
      /** Signature algorithm of the key. */
      readonly algorithm: 'RS256' | 'ES256' | 'EdDSA'
      /** Id of the key, needed when the issuer has several keys. */
      readonly keyId?: string | undefined
    }
)

/** Signs a token that proves a player's identity. For backends only: a caller of this function can act as any player. */
export async function mintPlayerToken(options: PlayerTokenOptions): Promise<string> {
  const { playerId, issuer, audience, expiresInSeconds = EXPIRES_IN_SECONDS, state } = options
  const token = new SignJWT(state === undefined ? {} : { state: { ...state } })
    .setIssuer(issuer)
    .setSubject(playerId)
    .setIssuedAt()
    .setExpirationTime(`${expiresInSeconds} s`)
  if (audience !== undefined) token.setAudience(audience)
  if ('secret' in options) {
    const key = await importJWK({ kty: 'oct', k: options.secret, alg: 'HS256' })
    return token.setProtectedHeader({ alg: 'HS256' }).sign(key)
  }
  const { algorithm: alg, keyId: kid, privateKey } = options
  const key: CryptoKey | Uint8Array =
    typeof privateKey === 'string' ? await importPKCS8(privateKey, alg) : await importJWK(privateKey, alg)
  return token.setProtectedHeader(kid === undefined ? { alg } : { alg, kid }).sign(key)
}
