import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import { requireOwnProject } from '../../context/require'
import { windowOf } from '../../context/window'
import type { ApiKey } from '../../project/api-key'
import type { Page } from '../../shared/page'

export interface ListKeysInput {
  readonly accountId: string
  readonly projectId: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A page of a project's keys, revoked ones too, without their values. Throws PROJECT_NOT_FOUND. */
export function listKeys(ctx: Context, input: ListKeysInput): Promise<Page<ApiKey>> {
  return unavailableInsteadOf(async () => {
    const project = await requireOwnProject(ctx, input)
    return ctx.storage.apiKeys.list(project.id, windowOf(input))
  })
}
