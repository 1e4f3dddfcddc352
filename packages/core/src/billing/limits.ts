import { type PlanLimits, UNLIMITED } from '../catalog/plans'
import type { Region } from '../catalog/regions'
import { type Tier, tierWithin } from '../catalog/tiers'
import { type Rejection, reject } from '../errors/decision'
import { counted } from '../shared/counted'
import type { JsonValue } from '../shared/json'
import { type AccountWithin, limitsOf } from './plan'

/**
 * Result of a check against the plan: passed, or a rejection. The check has read the account, so the commit must check the version of the
 * account's row.
 */
export type Gate<Passed = { readonly ok: true }> = Passed | { readonly ok: false; readonly rejected: Rejection }

const FEATURES = {
  queues_enabled: 'queuesEnabled',
  lobbies_enabled: 'lobbiesEnabled',
  matchmaking_enabled: 'matchmakingEnabled',
} as const satisfies Record<string, keyof PlanLimits>

/** Feature that a plan may include, by its name in `limits`. */
export type Feature = keyof typeof FEATURES

/** Decides whether the plan includes a feature. Rejects with PLAN_LIMIT_EXCEEDED. */
export function gateFeature(account: AccountWithin, feature: Feature): Gate {
  if (limitsOf(account)[FEATURES[feature]]) return { ok: true }
  return exceeded(account, feature, false, true, `does not include ${feature.replace('_enabled', '')}`)
}

export interface ServerWish {
  readonly tier: Tier
  readonly region: Region
  /** Requested lifetime in seconds; null when none was requested. */
  readonly ttlSeconds: number | null
}

/**
 * Returns the maximum seconds that a server may run under the plan: the requested time, else the plan's maximum; null when unlimited. This
 * function does not check the number of servers, because a counter limits it. Rejects with PLAN_LIMIT_EXCEEDED.
 */
export function gateServer(
  account: AccountWithin,
  { tier, region, ttlSeconds }: ServerWish,
): Gate<{ readonly ok: true; readonly ttlSeconds: number | null }> {
  const { maxTier, regions, maxServerTtl } = limitsOf(account)
  if (!tierWithin(tier, maxTier)) {
    const allows = `allows server tiers up to ${maxTier}; the requested tier is ${tier}`
    return exceeded(account, 'max_tier', maxTier, tier, allows)
  }
  if (!regions.includes(region)) {
    const allows = `allows only these regions: ${regions.join(', ')}; the requested region is ${region}`
    return exceeded(account, 'regions', [...regions], region, allows)
  }
  const maximum = ceiling(maxServerTtl)
  if (maximum !== undefined && ttlSeconds !== null && ttlSeconds > maximum) {
    const allows = `allows a server to run for at most ${counted(maximum, 'second')}; the requested ttl is ${ttlSeconds}`
    return exceeded(account, 'max_server_ttl', maximum, ttlSeconds, allows)
  }
  return { ok: true, ttlSeconds: ttlSeconds ?? maximum ?? null }
}

/** Returns the maximum of the counter of the account's live servers; undefined when unlimited. */
export const serverQuota = (account: AccountWithin): number | undefined =>
  ceiling(limitsOf(account).maxConcurrentServers)

/** Returns the maximum of the counter of the account's builds; undefined when unlimited. */
export const buildQuota = (account: AccountWithin): number | undefined => ceiling(limitsOf(account).maxBuilds)

/** Returns the rejection when the limit of servers is reached. `live` is the present number; after a downgrade it can exceed the limit. */
export function concurrentServersExceeded(account: AccountWithin, live: number): Rejection {
  const allowed = limitsOf(account).maxConcurrentServers
  const allows = `allows ${counted(allowed, 'server')} at the same time; stop a server${orUpgrade(account)}`
  return exceeded(account, 'max_concurrent_servers', allowed, live + 1, allows).rejected
}

/** Returns the rejection when the limit of builds is reached. `there` is the present number; after a downgrade it can exceed the limit. */
export function buildsExceeded(account: AccountWithin, there: number): Rejection {
  const allowed = limitsOf(account).maxBuilds
  const allows = `allows ${counted(allowed, 'build')}; delete a build${orUpgrade(account)}`
  return exceeded(account, 'max_builds', allowed, there + 1, allows).rejected
}

/**
 * Returns the rejection when an account or project already has `allowed` things of the kind `what`. This limit is the same in every plan.
 */
export function holdingExceeded(account: AccountWithin, limit: string, allowed: number, what: string): Rejection {
  const sentence = `holds at most ${counted(allowed, what)} here; delete one that is not needed`
  return exceeded(account, limit, allowed, allowed + 1, sentence).rejected
}

const orUpgrade = ({ tariff }: AccountWithin) => (tariff === undefined ? ' or upgrade' : '')

const ceiling = (limit: number): number | undefined => (limit === UNLIMITED ? undefined : limit)

function exceeded(account: AccountWithin, limit: string, allowed: JsonValue, requested: JsonValue, sentence: string) {
  const whose = account.tariff === undefined ? `the ${account.plan} plan` : 'this installation'
  return reject('PLAN_LIMIT_EXCEEDED', `${whose} ${sentence}`, {
    limit,
    plan: account.plan,
    allowed,
    requested,
  })
}
