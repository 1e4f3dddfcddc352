import { serverQuota } from '../billing/limits'
import { serverCounter } from '../commit/counters'
import type { Service } from '../node/service'
import { launchesServers } from '../ports/none'
import type { Ports } from '../ports/ports'
import { mayLaunch } from '../queue/decide'
import type { Queue } from '../queue/queue'
import { accountOf, requireProject } from '../reads/require'

/** Reasons why a party cannot be matched with anybody: it is in a proposed match, or the account has reached the server limit of its plan. */
export type HeldBy = 'proposal' | 'plan_limit'

/** How many more servers the queue's account may run now; unbounded where its plan is, or where its matches launch none. */
export async function serversLeft(ctx: Ports, queue: Queue): Promise<number> {
  if (!mayLaunch(queue, launchesServers(ctx.orchestrator))) return Number.POSITIVE_INFINITY
  const account = await accountOf(ctx, await requireProject(ctx, queue.projectId))
  const quota = serverQuota(account)
  if (quota === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, quota - (await ctx.storage.counters.read(serverCounter(account.id))))
}

/** Returns the reason that holds every party of the queue, shared by all questions within a second. */
export const heldBy = (ctx: Service, queue: Queue): Promise<HeldBy | null> =>
  ctx.node.holds.get(`${queue.id} ${queue.createdAt} ${queue.version}`, async () =>
    (await serversLeft(ctx, queue)) === 0 ? 'plan_limit' : null,
  )
