import { REGIONS, type Region } from './regions'
import { LARGEST_TIER, type Tier } from './tiers'

/** The plans, lowest first. */
export const PLANS = ['free', 'payg', 'pro'] as const
export type Plan = (typeof PLANS)[number]

/** How "unlimited" is written in `limits` (contract §3). */
export const UNLIMITED = -1

/** What an account may do; the authoritative answer of GET /v1/billing/plan. */
export interface PlanLimits {
  readonly maxConcurrentServers: number
  readonly maxTier: Tier
  /** Seconds. */
  readonly maxServerTtl: number
  readonly regions: readonly Region[]
  readonly maxBuilds: number
  readonly queuesEnabled: boolean
  readonly lobbiesEnabled: boolean
  readonly matchmakingEnabled: boolean
  readonly paymentMethodRequired: boolean
}

/** The plan table of the specification. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: {
    maxConcurrentServers: 1,
    maxTier: '1x-1g',
    maxServerTtl: 1_800,
    regions: ['iad'],
    maxBuilds: 5,
    queuesEnabled: false,
    lobbiesEnabled: false,
    matchmakingEnabled: false,
    paymentMethodRequired: false,
  },
  payg: {
    maxConcurrentServers: UNLIMITED,
    maxTier: LARGEST_TIER,
    maxServerTtl: UNLIMITED,
    regions: REGIONS,
    maxBuilds: UNLIMITED,
    queuesEnabled: false,
    lobbiesEnabled: false,
    matchmakingEnabled: false,
    paymentMethodRequired: true,
  },
  pro: {
    maxConcurrentServers: UNLIMITED,
    maxTier: LARGEST_TIER,
    maxServerTtl: UNLIMITED,
    regions: REGIONS,
    maxBuilds: UNLIMITED,
    queuesEnabled: true,
    lobbiesEnabled: true,
    matchmakingEnabled: true,
    paymentMethodRequired: true,
  },
}

export const planRank = (plan: Plan): number => PLANS.indexOf(plan)
