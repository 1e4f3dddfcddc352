import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { Project } from '../../project/project'
import { requireOwnProject } from '../../reads/require'

export function getProject(
  ctx: Ports,
  input: { readonly accountId: string; readonly projectId: string },
): Promise<Project> {
  return unavailableInsteadOf(() => requireOwnProject(ctx, input))
}
