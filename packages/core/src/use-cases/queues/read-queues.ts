import { unavailableInsteadOf } from '../../commit/transact'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import type { OnQueue } from '../../queue/on-queue'
import { type QueueAnswer, withWarnings } from '../../reads/queue-warnings'
import { requireQueue } from '../../reads/require'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'

export function getQueue(ctx: Service, input: OnQueue): Promise<QueueAnswer> {
  return unavailableInsteadOf(async () => withWarnings(ctx, await requireQueue(ctx, input.projectId, input.queueId)))
}

/** Page of the queues of a project. */
export interface ListQueuesInput extends InProject {
  /** Maximum number of queues on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of queues before the page. Default: 0. */
  readonly offset?: number | undefined
}

export function listQueues(ctx: Service, input: ListQueuesInput): Promise<Page<QueueAnswer>> {
  return unavailableInsteadOf(async () => {
    const page = await ctx.storage.queues.list(input.projectId, windowOf(input))
    return { ...page, data: await Promise.all(page.data.map((queue) => withWarnings(ctx, queue))) }
  })
}
