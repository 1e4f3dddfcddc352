import type { Account } from '../account/account'
import { concurrentServersExceeded, gateServer, serverQuota } from '../billing/limits'
import { DEFAULT_REGION, type Region } from '../catalog/regions'
import { DEFAULT_TIER, type Tier } from '../catalog/tiers'
import type { Context } from '../context/context'
import { ServiceError } from '../errors/service-error'
import type { CommitConflict } from '../ports/storage/index'
import type { GameServer, PortRequest } from '../server/game-server'
import type { JsonObject } from '../shared/json'
import type { Plan } from './draft'
import { jobs } from './jobs'

export interface ServerDesign {
  readonly projectId: string
  readonly versionTag: string
  readonly name?: string | undefined
  readonly region?: Region | undefined
  readonly tier?: Tier | undefined
  readonly networkPorts?: readonly PortRequest[] | undefined
  readonly startupArgs?: string | undefined
  readonly ttlSeconds?: number | undefined
  readonly autoRestart?: boolean | undefined
  readonly customData?: JsonObject | undefined
  readonly matchId?: string | undefined
  readonly queueId?: string | undefined
}

/**
 * A server to be launched, in the plan's commit: the record, the account's quota and the job. Throws PLAN_LIMIT_EXCEEDED for
 * what the plan's gates forbid; "one too many" is a conflict of the commit, see `quotaConflict`.
 */
export function planServer(ctx: Context, plan: Plan, account: Account, design: ServerDesign): GameServer {
  const tier = design.tier ?? DEFAULT_TIER
  const region = design.region ?? DEFAULT_REGION
  const gate = gateServer(account, { tier, region, ttlSeconds: design.ttlSeconds ?? null })
  if (!gate.ok) throw ServiceError.of(gate.rejected)
  const id = ctx.ids.next('srv')
  const record: GameServer = {
    id,
    version: 1,
    projectId: design.projectId,
    accountId: account.id,
    name: design.name ?? id,
    status: 'launching',
    region,
    tier,
    versionTag: design.versionTag,
    buildId: null,
    buildVersion: null,
    portRequests: design.networkPorts ?? [],
    networkPorts: [],
    startupArgs: design.startupArgs ?? '',
    ttlSeconds: gate.ttlSeconds,
    autoRestart: design.autoRestart ?? false,
    customData: design.customData ?? {},
    queueId: design.queueId ?? null,
    matchId: design.matchId ?? null,
    nodeId: null,
    attempt: 0,
    attemptOpen: false,
    launchAttempts: 0,
    launchDeadlineAt: plan.at + ctx.settings.launchTimeoutMs,
    exitCode: null,
    stopReason: null,
    restarts: 0,
    crashesInARow: 0,
    relaunchAt: null,
    launchedAt: null,
    createdAt: plan.at,
    runningAt: null,
    stoppedAt: null,
    expiresAt: null,
    updatedAt: plan.at,
  }
  const server = plan.createServer(record, serverQuota(account))
  plan.job(jobs.launchServer(record, plan.at))
  plan.tell({ type: 'server_created', instanceId: id, matchId: server.matchId }, design.projectId)
  return server
}

/** Reads a conflict on the account's counter as the refusal it means. */
export const quotaConflict =
  (account: Account) =>
  (conflict: CommitConflict): ServiceError | undefined =>
    conflict.on === 'limit' ? ServiceError.of(concurrentServersExceeded(account)) : undefined
