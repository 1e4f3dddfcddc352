import type { Account } from '../account/account'
import { concurrentServersExceeded, gateServer, serverQuota } from '../billing/limits'
import { DEFAULT_REGION } from '../catalog/regions'
import { DEFAULT_TIER } from '../catalog/tiers'
import { ServiceError } from '../errors/service-error'
import type { Ports } from '../ports/ports'
import type { CommitConflict } from '../ports/storage/index'
import type { TraceParent } from '../ports/tracing'
import type { GameServer } from '../server/game-server'
import { newServer, type ServerDesign } from '../server/new-server'
import { serverCounter } from './counters'
import type { Draft } from './draft'
import { putServer } from './rows/server'

/**
 * Adds a server to be launched to the draft: its row, the account's counter and the launch job. Throws PLAN_LIMIT_EXCEEDED when the plan
 * does not allow such a server. When the account has too many servers, the commit fails instead (see `quotaConflict`).
 */
export function openServer(
  ctx: Ports,
  draft: Draft,
  account: Account,
  design: ServerDesign,
  trace?: TraceParent,
): GameServer {
  const { tier = DEFAULT_TIER, region = DEFAULT_REGION, ttlSeconds = null } = design
  const gate = gateServer(account, { tier, region, ttlSeconds })
  if (!gate.ok) throw ServiceError.of(gate.rejected)
  const { launchTimeoutMs, capacityTimeoutMs } = ctx.settings
  const given = { accountId: account.id, ttlSeconds: gate.ttlSeconds, at: draft.at, launchTimeoutMs, capacityTimeoutMs }
  return putServer(draft, newServer(design, { id: ctx.ids.next('srv'), ...given, trace }), account)
}

/** Returns the error for a commit that failed because the account's counter of servers is at its limit; undefined for other conflicts. */
export const quotaConflict =
  (ctx: Ports, account: Account) =>
  async ({ on }: CommitConflict): Promise<ServiceError | undefined> => {
    if (on !== 'limit') return undefined
    return ServiceError.of(
      concurrentServersExceeded(account, await ctx.storage.counters.read(serverCounter(account.id))),
    )
  }

/**
 * Throws PLAN_LIMIT_EXCEEDED when the account has its maximum number of servers. The commit checks the number too. This early check makes
 * sure that the caller gets this error before errors that come later in the specified order (docs/http-api.md §1).
 */
export async function refuseOneTooMany(ctx: Ports, account: Account): Promise<void> {
  const quota = serverQuota(account)
  if (quota === undefined) return
  const live = await ctx.storage.counters.read(serverCounter(account.id))
  if (live >= quota) throw ServiceError.of(concurrentServersExceeded(account, live))
}
