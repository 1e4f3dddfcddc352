import { REGIONS, type Region } from './regions'
import { LARGEST_TIER, type Tier } from './tiers'

/** Value of a limit that means "unlimited" (docs/http-api.md §3). */
export const UNLIMITED = -1

/** Limits of an account over all its projects. */
export interface PlanLimits {
  /** Maximum number of servers at a time that are launching, running or stopping; -1 is unlimited. */
  readonly maxConcurrentServers: number
  /** Largest server size. */
  readonly maxTier: Tier
  /** Maximum lifetime of a server in seconds. */
  readonly maxServerTtl: number
  /** Regions in which servers may run. */
  readonly regions: readonly Region[]
  /** Maximum number of builds that are neither failed nor deleted; -1 is unlimited. */
  readonly maxBuilds: number
  /** Whether the account may have queues. */
  readonly queuesEnabled: boolean
  /** Whether the account may have lobbies. */
  readonly lobbiesEnabled: boolean
  /** Whether lobbies may search for matches. */
  readonly matchmakingEnabled: boolean
  /** Whether an upgrade to the plan needs a stored payment card. */
  readonly paymentMethodRequired: boolean
}

/** All properties of one plan. Code in other files must not depend on the name of a plan. */
interface Tariff {
  readonly limits: PlanLimits
  /** Whether the running time of servers is charged. */
  readonly metered: boolean
  /**
   * Micro-USD subtracted from each month's cost of servers; the unused rest of a credit expires. With several plans in a month, only the
   * largest credit counts.
   */
  readonly monthlyCreditMicroUsd: number
  /** Kinds of accounts for which this plan is the default: accounts that register, of an embedding application, or of an operator. */
  readonly defaultOf: readonly ('registered' | 'embedder' | 'operator')[]
}

const EVERYTHING = {
  maxConcurrentServers: UNLIMITED,
  maxTier: LARGEST_TIER,
  maxServerTtl: UNLIMITED,
  regions: REGIONS,
  maxBuilds: UNLIMITED,
  queuesEnabled: true,
  lobbiesEnabled: true,
  matchmakingEnabled: true,
  paymentMethodRequired: true,
} as const satisfies PlanLimits

/** Plans of the specification, lowest first. An upgrade changes to a later plan in this table. */
const TARIFFS = {
  free: {
    limits: {
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
    metered: false,
    monthlyCreditMicroUsd: 0,
    defaultOf: ['registered'],
  },
  payg: {
    limits: { ...EVERYTHING, queuesEnabled: false, lobbiesEnabled: false, matchmakingEnabled: false },
    metered: true,
    monthlyCreditMicroUsd: 0,
    defaultOf: [],
  },
  pro: {
    limits: EVERYTHING,
    metered: true,
    monthlyCreditMicroUsd: 5_000_000,
    defaultOf: ['embedder', 'operator'],
  },
} as const satisfies Readonly<Record<string, Tariff>>

/** Name of a plan: `free`, `payg` (pay as you go) or `pro`. */
export type Plan = keyof typeof TARIFFS

/** Names of the plans, lowest first. */
export const PLANS = Object.keys(TARIFFS) as [Plan, ...Plan[]]

const tariffOf = (plan: Plan): Tariff => TARIFFS[plan]

export const limitsOfPlan = (plan: Plan): PlanLimits => tariffOf(plan).limits

/** Whether the running time of servers is charged under the plan. */
export const isMetered = (plan: Plan): boolean => tariffOf(plan).metered

/** Returns the monthly credit for servers in micro-USD. */
export const monthlyCredit = (plan: Plan): number => tariffOf(plan).monthlyCreditMicroUsd

export const planRank = (plan: Plan): number => PLANS.indexOf(plan)

function defaultPlanOf(whom: Tariff['defaultOf'][number]): Plan {
  const plan = PLANS.find((candidate) => tariffOf(candidate).defaultOf.includes(whom))
  if (plan === undefined) throw new Error(`no plan is the default of ${whom} accounts`)
  return plan
}

/** Plan of an account that registers. */
export const DEFAULT_PLAN = defaultPlanOf('registered')
/** Plan of an embedding application's account. */
export const EMBEDDED_PLAN = defaultPlanOf('embedder')

/**
 * Tariff of accounts that the operator creates. The operator sets the limits, nothing is charged, and nobody can buy this tariff. Callers
 * see the plan `OPERATOR_PLAN` for such accounts.
 */
export const SELF_HOSTED = 'self_hosted'
/** Name of the operator's tariff, `self_hosted`. */
export type AccountTariff = typeof SELF_HOSTED
export const OPERATOR_PLAN = defaultPlanOf('operator')

/** Default limits of accounts on the tariff `self_hosted`: no restrictions. */
export const SELF_HOSTED_LIMITS: PlanLimits = { ...EVERYTHING, paymentMethodRequired: false }

/** Plan or tariff that an operator can give to an account. */
export type PlanChoice = Plan | AccountTariff
/** Plans and tariffs that an operator can give to an account: `self_hosted` first, then the plans, lowest first. */
export const PLAN_CHOICES: readonly PlanChoice[] = [SELF_HOSTED, ...PLANS]
