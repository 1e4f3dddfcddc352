import type { Role } from '../catalog/roles'
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
  /**
   * Least role with which a session or a server key may call the operation in a project. Null for calls about no project, and for calls that
   * neither sessions nor server keys make.
   */
  readonly role: Role | null
}
