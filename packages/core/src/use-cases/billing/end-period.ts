import type { Account } from '../../account/account'
import { endPeriod } from '../../billing/decide'
import { serverCapOf } from '../../billing/plan'
import { PAGE_LIMIT } from '../../catalog/limits'
import { changeServer } from '../../commit/change-server'
import { Plan } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { ServerStatus } from '../../server/game-server'
import { planBilling } from './plan-billing'

/**
 * Moves an account whose time has come to its pending plan, once, and caps the servers from before to what is left of the new
 * plan's ttl. Both halves look at what is so, not at what was done, so a crash between them loses nothing.
 */
export async function endAccountPeriod(ctx: Context, accountId: string): Promise<void> {
  const account = await transact(ctx, undefined, async () => {
    const plan = new Plan(ctx.clock.now())
    const before = await ctx.storage.get('account', accountId)
    return { plan, answer: before && planBilling(plan, before, endPeriod(before, plan.at)) }
  })
  if (account !== undefined) await capServers(ctx, account)
}

async function capServers(ctx: Context, account: Account): Promise<void> {
  const cap = serverCapOf(account)
  if (cap === undefined) return
  const outlives = (server: { createdAt: number; expiresAt: number | null }) =>
    server.createdAt < cap.before && (server.expiresAt === null || server.expiresAt > cap.expiresAt)
  for (const server of await unstoppedServers(ctx, account.id)) {
    if (!outlives(server)) continue
    await changeServer(ctx, server.id, (now) => ({
      events:
        outlives(now) && UNSTOPPED.includes(now.status)
          ? [{ type: 'server_ttl_capped', expiresAt: cap.expiresAt }]
          : [],
    }))
  }
}

/** Those that end by themselves only at their ttl. */
const UNSTOPPED: readonly ServerStatus[] = ['launching', 'running']

async function unstoppedServers(ctx: Context, accountId: string) {
  const found = []
  for (const { id: projectId, deletedAt } of await ctx.storage.projects.listAll(accountId)) {
    if (deletedAt !== null) continue
    for (const status of UNSTOPPED) {
      for (let offset = 0, total = 1; offset < total; offset += PAGE_LIMIT.max) {
        const page = await ctx.storage.servers.list({ projectId, status, limit: PAGE_LIMIT.max, offset })
        total = page.total
        found.push(...page.data)
      }
    }
  }
  return found
}
