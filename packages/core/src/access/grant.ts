import type { Role } from '../catalog/roles'

/** Rights of an account in a project of another account. */
export interface Grant {
  /** Project of the grant. */
  readonly projectId: string
  /** Role of the account in the project. */
  readonly role: Role
  /** Account that owns the project. */
  readonly accountId: string
}

/** Grants with which a session makes a call, and the least role that the call needs. */
export interface HeldGrants {
  /** Least role that the call needs; null when no grant allows the call. */
  readonly least: Role | null
  /** Grants of the session's account: at most 100. */
  readonly held: readonly Grant[]
}
