import { REGIONS, type Region } from './regions'
import { LARGEST_TIER, type Tier } from './tiers'

/** How "unlimited" is written in `limits` (docs/http-api.md §3). */
export const UNLIMITED = -1

/** Limits of an account; the authoritative answer of GET /v1/billing/plan. */
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
  /** Whether a card must be on file before the plan can be bought. */
  readonly paymentMethodRequired: boolean
}

/** Everything that is particular to one plan: no other file asks for a plan by its name. */
interface Tariff {
  readonly limits: PlanLimits
  /** Whether running servers cost money. */
  readonly metered: boolean
  /** Micro-USD taken off each month's servers; it does not roll over. Of several plans in a month the largest counts once. */
  readonly monthlyCreditMicroUsd: number
  /** Accounts for which the plan is the default: registered ones, an embedder's, an operator's. */
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

/** The plan table of the specification, lowest first: an upgrade leads down this list. */
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

export type Plan = keyof typeof TARIFFS

/** The plans, lowest first. */
export const PLANS = Object.keys(TARIFFS) as [Plan, ...Plan[]]

const tariffOf = (plan: Plan): Tariff => TARIFFS[plan]

export const limitsOfPlan = (plan: Plan): PlanLimits => tariffOf(plan).limits

/** Whether servers that run under the plan are metered. */
export const isMetered = (plan: Plan): boolean => tariffOf(plan).metered

/** The monthly server credit that comes with the plan, in micro-USD. */
export const monthlyCredit = (plan: Plan): number => tariffOf(plan).monthlyCreditMicroUsd

export const planRank = (plan: Plan): number => PLANS.indexOf(plan)

function defaultPlanOf(whom: Tariff['defaultOf'][number]): Plan {
  const plan = PLANS.find((candidate) => tariffOf(candidate).defaultOf.includes(whom))
  if (plan === undefined) throw new Error(`no plan is the default of ${whom} accounts`)
  return plan
}

/** Plan of an account that registers. */
export const DEFAULT_PLAN = defaultPlanOf('registered')
/** Plan of an embedder's account. */
export const EMBEDDED_PLAN = defaultPlanOf('embedder')

/**
 * Tariff of accounts that the operator creates: the operator sets the limits, nothing is charged, and nobody can buy it. Callers see such
 * accounts on `OPERATOR_PLAN`.
 */
export const SELF_HOSTED = 'self_hosted'
export type AccountTariff = typeof SELF_HOSTED
export const OPERATOR_PLAN = defaultPlanOf('operator')

/** Limits of an operator's accounts unless set otherwise: everything that the installation can do. */
export const SELF_HOSTED_LIMITS: PlanLimits = { ...EVERYTHING, paymentMethodRequired: false }

/** Plans and tariffs that an operator can give an account. */
export type PlanChoice = Plan | AccountTariff
export const PLAN_CHOICES: readonly PlanChoice[] = [SELF_HOSTED, ...PLANS]
