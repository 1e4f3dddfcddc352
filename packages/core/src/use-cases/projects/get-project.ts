import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import { requireOwnProject } from '../../context/require'
import type { Project } from '../../project/project'

/** A project of the account. Throws PROJECT_NOT_FOUND. */
export function getProject(
  ctx: Context,
  input: { readonly accountId: string; readonly projectId: string },
): Promise<Project> {
  return unavailableInsteadOf(() => requireOwnProject(ctx, input))
}
