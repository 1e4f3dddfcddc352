import { unavailableInsteadOf } from '../../commit/transact'
import type { Service } from '../../node/service'
import type { Project } from '../../project/project'
import { requireOwnProject } from '../../reads/require'

/** A project of the account. Throws PROJECT_NOT_FOUND. */
export function getProject(
  ctx: Service,
  input: { readonly accountId: string; readonly projectId: string },
): Promise<Project> {
  return unavailableInsteadOf(() => requireOwnProject(ctx, input))
}
