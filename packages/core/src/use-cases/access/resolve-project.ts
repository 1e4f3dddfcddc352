import type { Caller } from '../../access/caller'
import type { OwnedBy } from '../../access/owner'
import { unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { requireOwnProject } from '../../reads/require'

/**
 * Returns the project of a list or create call. With an API key it is the key's project, whatever the call names. With a session it is the
 * named project, which must belong to the account (specification, "Builds"). Throws VALIDATION_FAILED, PROJECT_NOT_FOUND,
 * CREDENTIAL_NOT_ALLOWED.
 */
export function resolveProject(ctx: Ports, caller: Caller, named: string | undefined): Promise<string> {
  return unavailableInsteadOf(async () => {
    if (caller.kind !== 'session') return caller.projectId
    if (named === undefined) {
      throw validationFailed([{ path: 'project_id', message: 'is required in the query with a session token' }])
    }
    return (await requireOwnProject(ctx, { accountId: caller.accountId, projectId: named })).id
  })
}

/** Returns the owner that a resource must have for this caller to address it by id. */
export const ownerOf = (caller: Caller): OwnedBy =>
  caller.kind === 'session' ? { accountId: caller.accountId } : { projectId: caller.projectId }
