import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { consumeKindOf } from '../../consumer/job-kind'
import { JOB_LEASE_MS } from '../../node/job-lease'
import type { Service } from '../../node/service'
import { consumerKey } from '../../project/consumer'
import { consumerOf } from '../../project/project'

/** Maximum number of backlogs that one run removes. */
const AT_ONCE = 100

/**
 * Removes backlogs of a consumer that was removed, with their jobs, which are the only list of these backlogs. Returns the time of the next
 * run while jobs are left. When the consumer was added again, nodes with its handler drop the messages of the removed consumer.
 */
export async function clearConsumer(ctx: Service, projectId: string, consumer: string): Promise<number | undefined> {
  const project = await ctx.storage.get('project', projectId)
  if (project !== undefined && consumerOf(project, consumer) !== undefined) return undefined
  const kinds = [consumeKindOf(consumerKey(projectId, consumer))]
  const now = ctx.clock.now()
  const holder = ctx.settings.nodeId
  const claim = { kinds, now, limit: AT_ONCE, leaseMs: JOB_LEASE_MS, holder, perTenant: AT_ONCE, inHand: new Map() }
  const claimed = await ctx.storage.jobs.claim(claim)
  for (const job of claimed) {
    if (await removeBacklog(ctx, projectId, consumer, String(job.payload.backlogId)))
      await ctx.storage.jobs.complete(job)
    else await ctx.storage.jobs.retry(job, now)
  }
  if (claimed.length > 0) return ctx.clock.now()
  const [left] = await ctx.storage.jobs.agenda(kinds, now)
  return left?.nextAt
}

/** Removes a backlog of a consumer that does not exist. Returns false, without a change, when the consumer was added again. */
const removeBacklog = (ctx: Service, projectId: string, consumer: string, id: string): Promise<boolean> =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const project = await ctx.storage.get('project', projectId)
    if (project !== undefined && consumerOf(project, consumer) !== undefined) return { draft, answer: false }
    const backlog = await ctx.storage.get('backlog', id)
    if (backlog !== undefined) draft.remove('backlog', backlog)
    if (backlog !== undefined && project !== undefined) draft.check('project', project)
    return { draft, answer: true }
  })
