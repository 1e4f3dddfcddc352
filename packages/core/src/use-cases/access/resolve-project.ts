import type { Caller } from '../../access/caller'
import type { OwnedBy } from '../../access/owner'
import { roleAllows } from '../../access/role-allows'
import type { Role } from '../../catalog/roles'
import { unavailableInsteadOf } from '../../commit/transact'
import { orThrow, ServiceError, validationFailed } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { requireOwnProject } from '../../reads/require'
import type { SessionCaller } from './authenticate-session'

/**
 * Returns the project to which a list or create call applies. With an API key this is the key's project, and the project in the call is
 * ignored. With a session it is the project in the call, which must belong to the account, or in which the account has the role `least`.
 * Throws VALIDATION_FAILED, PROJECT_NOT_FOUND, ROLE_NOT_ALLOWED, CREDENTIAL_NOT_ALLOWED.
 */
export function resolveProject(
  ctx: Ports,
  caller: Caller,
  named: string | undefined,
  least: Role | null,
): Promise<string> {
  return unavailableInsteadOf(async () => {
    if (caller.kind === 'machine') throw ofNoProject()
    if (caller.kind !== 'session') return caller.projectId
    if (named === undefined) {
      throw validationFailed([{ path: 'project_id', message: 'is required in the query with a session token' }])
    }
    return (await requireOwnProject(ctx, { accountId: accountOn(caller, named, least), projectId: named })).id
  })
}

/**
 * Returns the account with which a session addresses a project in a call: the owner of the project when the session's account is a member with
 * the role `least`, otherwise the session's account. Throws ROLE_NOT_ALLOWED for a member with a lower role.
 */
export function accountOn(caller: SessionCaller, projectId: string, least: Role | null): string {
  const grant = caller.grants.find((one) => one.projectId === projectId)
  if (grant === undefined) return caller.accountId
  orThrow(roleAllows(grant.role, least))
  return grant.accountId
}

/**
 * Returns the owner that a resource must have, so that this caller may address the resource by its id. `least` is the least role that a member
 * needs for the call. Throws CREDENTIAL_NOT_ALLOWED for a machine, which owns nothing.
 */
export function ownerOf(caller: Caller, least: Role | null): OwnedBy {
  if (caller.kind === 'machine') throw ofNoProject()
  if (caller.kind !== 'session') return { projectId: caller.projectId }
  return { accountId: caller.accountId, grants: { least, held: caller.grants } }
}

const ofNoProject = () => new ServiceError('CREDENTIAL_NOT_ALLOWED', "a machine's token belongs to no project")
