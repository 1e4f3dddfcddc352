import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import { windowOf } from '../../context/window'
import type { Project } from '../../project/project'
import type { Page } from '../../shared/page'

export interface ListProjectsInput {
  readonly accountId: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A page of the account's projects, oldest first. */
export function listProjects(ctx: Context, input: ListProjectsInput): Promise<Page<Project>> {
  return unavailableInsteadOf(() => ctx.storage.projects.list(input.accountId, windowOf(input)))
}
