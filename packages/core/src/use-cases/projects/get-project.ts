import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { Project } from '../../project/project'
import { requireOwnProject } from '../../reads/require'
import type { OnOwnProject } from './player-auth'

export function getProject(ctx: Ports, input: OnOwnProject): Promise<Project> {
  return unavailableInsteadOf(() => requireOwnProject(ctx, input))
}
