import type { CredentialKind } from './caller'

/** Which callers an operation takes. */
export interface Permission {
  /** Which credentials may call; an empty list is open to everybody. */
  readonly credentials: readonly CredentialKind[]
  /**
   * The x-player-id header: demanded, demanded unless a server key calls (a backend acts for nobody), read when sent, or of no
   * meaning.
   */
  readonly player: 'required' | 'unless-backend' | 'optional' | 'none'
}
