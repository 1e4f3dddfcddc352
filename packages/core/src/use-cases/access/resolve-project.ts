import type { Caller } from '../../access/caller'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { OwnedBy } from '../../context/inputs'
import { requireProject } from '../../context/require'
import { ServiceError, validationFailed } from '../../errors/service-error'
import type { Project } from '../../project/project'

/**
 * The project that a list or a create is about: a key's own, whatever was named; for a session the named one, which must be
 * the account's (specification, "Builds"). Throws VALIDATION_FAILED, PROJECT_NOT_FOUND, CREDENTIAL_NOT_ALLOWED.
 */
export function resolveProject(ctx: Context, caller: Caller, named: string | undefined): Promise<string> {
  return unavailableInsteadOf(async () => {
    if (caller.kind !== 'session') return caller.projectId
    if (named === undefined) {
      throw validationFailed([{ path: 'project_id', message: 'is required in the query with a session token' }])
    }
    return (await requireOwnProject(ctx, { accountId: caller.accountId, projectId: named })).id
  })
}

/** A live project of the account; another account's reads as not found, so ids cannot be probed. Throws PROJECT_NOT_FOUND. */
export async function requireOwnProject(
  ctx: Context,
  { accountId, projectId }: { readonly accountId: string; readonly projectId: string },
): Promise<Project> {
  const project = await requireProject(ctx, projectId)
  if (project.accountId === accountId) return project
  throw new ServiceError('PROJECT_NOT_FOUND', `there is no project ${JSON.stringify(projectId)}`)
}

/** Who must own a thing that this caller addresses by its id. */
export const ownerOf = (caller: Caller): OwnedBy =>
  caller.kind === 'session' ? { accountId: caller.accountId } : { projectId: caller.projectId }
