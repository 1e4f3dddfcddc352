import type { ProofAlgorithm } from '../project/player-auth'
import type { JsonObject } from '../shared/json'

/**
 * Key for the verification of a signature. `algorithm` is always given. A signature is verified with this algorithm alone, whatever the
 * token's own header says.
 */
export type ProofKey =
  | { readonly algorithm: 'HS256'; readonly secret: Uint8Array }
  | { readonly algorithm: Exclude<ProofAlgorithm, 'HS256'>; readonly jwk: JsonObject }

/** Verifies the signatures of player tokens. This port checks only signatures; the service checks the claims of a token. */
export interface PlayerTokens {
  /**
   * Returns the header and the payload of a compact JWS as texts. Returns undefined for any other text: not exactly three parts (a JWE has
   * five), invalid base64url, or bytes that are not UTF-8.
   */
  read(token: string): { readonly header: string; readonly payload: string } | undefined
  /**
   * Whether the token was signed with this key and its algorithm. False for a key that cannot be imported. A bounded number of imported
   * keys is cached.
   */
  verify(token: string, key: ProofKey): Promise<boolean>
}
