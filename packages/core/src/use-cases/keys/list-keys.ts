import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { ApiKey } from '../../project/api-key'
import { requireOwnProject } from '../../reads/require'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'

export interface ListKeysInput {
  readonly accountId: string
  readonly projectId: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export function listKeys(ctx: Ports, input: ListKeysInput): Promise<Page<ApiKey>> {
  return unavailableInsteadOf(async () => {
    const project = await requireOwnProject(ctx, input)
    return ctx.storage.apiKeys.list(project.id, windowOf(input))
  })
}
