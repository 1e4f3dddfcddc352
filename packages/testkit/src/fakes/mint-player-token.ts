import type { JsonObject } from '@matchyard/core'
import { signHs256 } from './sign-hs256'

export interface PlayerTokenDesign {
  /** The generated secret as `setPlayerAuth` returned it: base64url of 32 bytes. */
  readonly secret: string
  readonly issuer: string
  readonly playerId: string
  /** Trusted fields of the player's state. */
  readonly state?: JsonObject
  readonly audience?: string
  /** Time of issue, in epoch milliseconds; default: now, by the machine's clock. */
  readonly at?: number
  /** Seconds until the token expires; default 3,600. */
  readonly expiresInSeconds?: number
  /** Additional claims; they replace claims of the same name. */
  readonly claims?: JsonObject
}

/** Returns a player token as a studio's backend makes it with a generated secret (HS256), for tests. */
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
