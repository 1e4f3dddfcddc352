import { accountCosts, rateFrom, type Spending, spendingIn } from '../billing/spending'
import type { Service } from '../node/service'
import type { Project } from '../project/project'
import { monthBounds, monthOf } from '../shared/time'
import { accountOf } from './require'

/**
 * Returns the cost of a project in the present month, and its forecast. The usage of the account is read at most once a minute on this node,
 * for all its projects: sums by day, and the running servers, which no sum contains yet.
 */
export async function spendingOf(ctx: Service, project: Project): Promise<Spending> {
  const { accountId } = project
  const costs = await ctx.node.spending.get(accountId, async () => {
    const now = ctx.clock.now()
    const month = monthOf(now)
    const from = Math.min(monthBounds(month).start, rateFrom(now))
    const [{ sums, servers }, { planHistory }] = await Promise.all([
      ctx.storage.servers.metered(accountId, from, now + 1),
      accountOf(ctx, project),
    ])
    return accountCosts(month, { now, planHistory, servers, sums, prices: ctx.settings.prices })
  })
  return spendingIn(costs, project)
}
