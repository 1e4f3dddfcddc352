import { DEFAULT_PAGE_LIMIT } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { Project } from '../../project/project'
import type { Page } from '../../shared/page'

export interface ListProjectsInput {
  readonly accountId: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A page of the account's projects, oldest first. */
export function listProjects(ctx: Context, input: ListProjectsInput): Promise<Page<Project>> {
  const page = { limit: input.limit ?? DEFAULT_PAGE_LIMIT, offset: input.offset ?? 0 }
  return unavailableInsteadOf(() => ctx.storage.projects.list(input.accountId, page))
}
