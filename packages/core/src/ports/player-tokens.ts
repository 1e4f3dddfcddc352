import type { ProofAlgorithm } from '../project/player-auth'
import type { JsonObject } from '../shared/json'

/** Key for the verification of a signature. `algorithm` is always given: a token's own header never chooses the algorithm. */
export type ProofKey =
  | { readonly algorithm: 'HS256'; readonly secret: Uint8Array }
  | { readonly algorithm: Exclude<ProofAlgorithm, 'HS256'>; readonly jwk: JsonObject }

/** Verifies signatures of others. It knows keys and signatures; the domain judges the claims of a token. */
export interface PlayerTokens {
  /**
   * The header and the payload of a compact JWS as texts. undefined for anything else: more or fewer parts than three (a JWE has five),
   * characters or bits that base64url has no place for, bytes that are no UTF-8.
   */
  read(token: string): { readonly header: string; readonly payload: string } | undefined
  /**
   * Whether this key made the token's signature, by this algorithm and no other. A key that cannot be imported has made none. Keys
   * that were imported are kept, a bounded number of them.
   */
  verify(token: string, key: ProofKey): Promise<boolean>
}
