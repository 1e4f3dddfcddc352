import type { CredentialKind } from './caller'

/** Conditions that an operation sets for its callers. */
export interface Permission {
  /** Kinds of credentials that may call the operation. An empty list: every caller, also one without a credential. */
  readonly credentials: readonly CredentialKind[]
  /**
   * How the operation uses the header `x-player-id`. `required`: every caller sends it. `unless-backend`: a server key may leave it out,
   * because a backend acts for no player. `optional`: read when it is sent. `none`: not read.
   */
  readonly player: 'required' | 'unless-backend' | 'optional' | 'none'
}
