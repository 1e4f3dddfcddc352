import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { Project } from '../../project/project'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'

export interface ListProjectsInput {
  readonly accountId: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export function listProjects(ctx: Ports, input: ListProjectsInput): Promise<Page<Project>> {
  return unavailableInsteadOf(() => ctx.storage.projects.list(input.accountId, windowOf(input)))
}
