import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { ApiKey } from '../../project/api-key'
import { requireOwnProject } from '../../reads/require'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'

/** Page of the keys of a project. */
export interface ListKeysInput {
  /** Account that owns the project. */
  readonly accountId: string
  /** Project of the keys: `prj_` and a ULID. */
  readonly projectId: string
  /** Maximum number of keys on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of keys before the page. Default: 0. */
  readonly offset?: number | undefined
}

export function listKeys(ctx: Ports, input: ListKeysInput): Promise<Page<ApiKey>> {
  return unavailableInsteadOf(async () => {
    const project = await requireOwnProject(ctx, input)
    return ctx.storage.apiKeys.list(project.id, windowOf(input))
  })
}
