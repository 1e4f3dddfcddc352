import type { CredentialKind } from './caller'

/** Conditions that an operation sets for the callers that may use it. */
export interface Permission {
  /** Kinds of credentials that may call the operation. With an empty list, every caller may call it, even without a credential. */
  readonly credentials: readonly CredentialKind[]
  /**
   * Use of the header `x-player-id` by the operation.
   * - `required`: every caller sends it.
   * - `unless-backend`: a call with a server key may leave it out, because a backend need not act for a player.
   * - `optional`: the header is read when it is sent.
   * - `none`: the header is not read.
   */
  readonly player: 'required' | 'unless-backend' | 'optional' | 'none'
}
