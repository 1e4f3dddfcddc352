import { unavailableInsteadOf } from '../../commit/transact'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { type QueueAnswer, withWarnings } from '../../reads/queue-warnings'
import { requireQueue } from '../../reads/require'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'

export function getQueue(ctx: Service, input: InProject & { readonly queueId: string }): Promise<QueueAnswer> {
  return unavailableInsteadOf(async () => withWarnings(ctx, await requireQueue(ctx, input.projectId, input.queueId)))
}

export function listQueues(
  ctx: Service,
  input: InProject & { readonly limit?: number | undefined; readonly offset?: number | undefined },
): Promise<Page<QueueAnswer>> {
  return unavailableInsteadOf(async () => {
    const page = await ctx.storage.queues.list(input.projectId, windowOf(input))
    return { ...page, data: await Promise.all(page.data.map((queue) => withWarnings(ctx, queue))) }
  })
}
