import type { Account } from '../../account/account'
import { endPeriod } from '../../billing/decide'
import { serverCapOf } from '../../billing/plan'
import { PAGE_LIMIT } from '../../catalog/limits'
import { ofAccount } from '../../commit/of-account'
import { ofServer } from '../../commit/of-server'
import { change } from '../../commit/transact'
import { accept } from '../../errors/decision'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { within } from '../../reads/require'
import { capTtl, outlives } from '../../server/decide'
import type { ServerStatus } from '../../server/game-server'

/**
 * Moves an account to its pending plan when its period is over, and limits the remaining ttl of existing servers by the new plan. Both
 * steps read the present state, so a crash between them loses nothing. When the period is not over yet, returns the time of the next check.
 */
export async function endAccountPeriod(ctx: Service, accountId: string): Promise<number | undefined> {
  const account = await change(ctx, ofAccount, accountId, (before, { at }) => accept(...endPeriod(before, at)))
  await capServers(ctx, account)
  return account.pendingPlanAt ?? undefined
}

/** Sets an earlier end for servers that are older than the account's plan, by the ttl limit of the plan. */
async function capServers(ctx: Service, account: Account): Promise<void> {
  const cap = serverCapOf(within(ctx, account))
  if (cap === undefined) return
  for (const server of await unstoppedServers(ctx, account.id)) {
    if (outlives(server, cap)) await change(ctx, ofServer, server.id, (now) => accept(...capTtl(now, cap)))
  }
}

/** Statuses of live servers that nobody has stopped yet. */
const UNSTOPPED: readonly ServerStatus[] = ['launching', 'running']

async function unstoppedServers(ctx: Ports, accountId: string) {
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
