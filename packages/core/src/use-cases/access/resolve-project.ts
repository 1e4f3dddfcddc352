import type { Caller } from '../../access/caller'
import type { OwnedBy } from '../../access/owner'
import { unavailableInsteadOf } from '../../commit/transact'
import { ServiceError, validationFailed } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { requireOwnProject } from '../../reads/require'

/**
 * Returns the project to which a list or create call applies. With an API key this is the key's project, and the project in the call is
 * ignored. With a session it is the project in the call, which must belong to the account (specification, "Builds"). Throws
 * VALIDATION_FAILED, PROJECT_NOT_FOUND, CREDENTIAL_NOT_ALLOWED.
 */
export function resolveProject(ctx: Ports, caller: Caller, named: string | undefined): Promise<string> {
  return unavailableInsteadOf(async () => {
    if (caller.kind === 'machine') throw ofNoProject()
    if (caller.kind !== 'session') return caller.projectId
    if (named === undefined) {
      throw validationFailed([{ path: 'project_id', message: 'is required in the query with a session token' }])
    }
    return (await requireOwnProject(ctx, { accountId: caller.accountId, projectId: named })).id
  })
}

/**
 * Returns the owner that a resource must have, so that this caller may address the resource by its id. Throws CREDENTIAL_NOT_ALLOWED for a
 * machine, which owns nothing.
 */
export function ownerOf(caller: Caller): OwnedBy {
  if (caller.kind === 'machine') throw ofNoProject()
  return caller.kind === 'session' ? { accountId: caller.accountId } : { projectId: caller.projectId }
}

const ofNoProject = () => new ServiceError('CREDENTIAL_NOT_ALLOWED', "a machine's token belongs to no project")
