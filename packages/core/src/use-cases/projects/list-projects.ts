import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import { type ListedProject, projectsOf } from '../../reads/own-projects'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'

/** Page of the projects of an account. */
export interface ListProjectsInput {
  /** Account that owns the projects, or is a member of them. */
  readonly accountId: string
  /** Maximum number of projects on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of projects before the page. Default: 0. */
  readonly offset?: number | undefined
}

export function listProjects(ctx: Ports, input: ListProjectsInput): Promise<Page<ListedProject>> {
  return unavailableInsteadOf(() => projectsOf(ctx, input.accountId, windowOf(input)))
}
