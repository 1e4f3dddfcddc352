import { orThrow } from '../errors/service-error'
import type { HeldGrants } from './grant'
import { roleAllows } from './role-allows'

/** Required owner of a resource that a caller addresses: the project of the API key, or the account of the session. */
export type OwnedBy =
  | {
      /** Project of the caller's API key. */
      readonly projectId: string
      /** Absent for the owner by project. */
      readonly accountId?: undefined
      /** Absent for the owner by project. */
      readonly grants?: undefined
    }
  | {
      /** Account of the caller's session. */
      readonly accountId: string
      /** Absent for the owner by account. */
      readonly projectId?: undefined
      /** Grants of the account in projects of other accounts; absent: only the account's own projects count. */
      readonly grants?: HeldGrants | undefined
    }

/**
 * Whether the caller may address a thing. Throws ROLE_NOT_ALLOWED when the caller is a member of the project with a role that is too low.
 */
export function isOwner(by: OwnedBy, thing: { readonly projectId: string; readonly accountId: string }): boolean {
  if (by.projectId !== undefined) return by.projectId === thing.projectId
  if (by.accountId === thing.accountId) return true
  const grant = by.grants?.held.find(({ projectId }) => projectId === thing.projectId)
  if (grant === undefined || by.grants === undefined) return false
  orThrow(roleAllows(grant.role, by.grants.least))
  return grant.accountId === thing.accountId
}
