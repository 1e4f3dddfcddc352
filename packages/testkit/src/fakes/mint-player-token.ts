import type { JsonObject } from '@matchyard/core'
import { signHs256 } from './sign-hs256'

/** Content of a player token. */
export interface PlayerTokenDesign {
  /** The generated secret that `setPlayerAuth` returned: base64url of 32 bytes. */
  readonly secret: string
  /** Name of the issuer. */
  readonly issuer: string
  /** Id of the player. */
  readonly playerId: string
  /** Trusted fields of the player's state, which the token proves. */
  readonly state?: JsonObject
  /** Audience of the token; absent: none. */
  readonly audience?: string
  /** Time of issue, in epoch milliseconds; default: now, by the machine's clock. */
  readonly at?: number
  /** Seconds until the token expires; default 3,600. */
  readonly expiresInSeconds?: number
  /** Additional claims of the token; they replace claims of the same name. */
  readonly claims?: JsonObject
}

/** Returns a player token for tests. A studio's backend makes such tokens with a generated secret (HS256). */
export function mintPlayerToken(design: PlayerTokenDesign): string {
  const { secret, issuer, playerId, state, audience, at = Date.now(), expiresInSeconds = 3_600, claims } = design
  const issuedAt = Math.floor(at / 1_000)
  return signHs256(Buffer.from(secret, 'base64url'), {
    iss: issuer,
    sub: playerId,
    ...(audience === undefined ? {} : { aud: audience }),
    iat: issuedAt,
    exp: issuedAt + expiresInSeconds,
    ...(state === undefined ? {} : { state }),
    ...claims,
  })
}
