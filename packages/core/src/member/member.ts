import type { Role } from '../catalog/roles'
import type { Instant } from '../shared/time'

/** Server key that a member created. */
export interface MemberKey {
  /** Id of the key: `key_` and a ULID. */
  readonly id: string
  /** Instant from which the key is refused; absent for a key that is valid until it is revoked. */
  readonly expiresAt?: Instant
}

/**
 * Stored grant of a project to an account that does not own the project. The account that owns the project has no such record.
 */
export interface Member {
  /** Id of the record: the ids of the project and of the account. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the grant. */
  readonly projectId: string
  /** Account of the member. */
  readonly accountId: string
  /** Account that owns the project. */
  readonly ownerId: string
  /** Rights of the member in the project. */
  readonly role: Role
  /**
   * Server keys that the member created and that had not expired at the last change. A new key is added in the commit that creates it, so
   * this commit and the removal of the member conflict.
   */
  readonly keys: readonly MemberKey[]
  /** Time at which the account joined the project. */
  readonly createdAt: Instant
  /** Time of the last change. */
  readonly updatedAt: Instant
}

/** Returns the id of the record of a member. */
export const memberId = (projectId: string, accountId: string): string => `${projectId} ${accountId}`

/** Returns the record of an account that joins a project. */
export const joinedMember = (
  { projectId, accountId, ownerId, role }: Pick<Member, 'projectId' | 'accountId' | 'ownerId' | 'role'>,
  at: Instant,
): Member => ({
  id: memberId(projectId, accountId),
  version: 1,
  projectId,
  accountId,
  ownerId,
  role,
  keys: [],
  createdAt: at,
  updatedAt: at,
})

/** Returns the keys of a member that have not expired. */
export const unexpiredKeys = ({ keys }: Pick<Member, 'keys'>, at: Instant): readonly MemberKey[] =>
  keys.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > at)
