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
 * A server to be launched, in the draft's commit: the record, the account's quota and the job. Throws PLAN_LIMIT_EXCEEDED for
 * what the plan's gates forbid; "one too many" is a conflict of the commit, see `quotaConflict`.
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

/** Reads a conflict on the account's counter as the refusal it means. */
export const quotaConflict =
  (ctx: Ports, account: Account) =>
  async ({ on }: CommitConflict): Promise<ServiceError | undefined> => {
    if (on !== 'limit') return undefined
    return ServiceError.of(
      concurrentServersExceeded(account, await ctx.storage.counters.read(serverCounter(account.id))),
    )
  }

/** Checks the limit before the commit, for callers that would otherwise refuse for a smaller reason than the plan (docs/http-api.md §1). */
export async function refuseOneTooMany(ctx: Ports, account: Account): Promise<void> {
  const quota = serverQuota(account)
  if (quota === undefined) return
  const live = await ctx.storage.counters.read(serverCounter(account.id))
  if (live >= quota) throw ServiceError.of(concurrentServersExceeded(account, live))
}
