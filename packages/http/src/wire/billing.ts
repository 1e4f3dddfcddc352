import { z } from '@hono/zod-openapi'
import { MONTH_PATTERN, PLANS, REGIONS } from '@matchyard/core'
import type { PlanStatus, Usage } from './core-types'
import { dateTime, iso, text } from './shared'

const plan = z.enum(PLANS)

export const upgradeBody = z.strictObject({ plan, payment_method_token: text(1, 512).optional() })
export const downgradeBody = z.strictObject({ plan })
export const usageQuery = z.object({ month: z.string().regex(MONTH_PATTERN, 'must be YYYY-MM').optional() })

const UNLIMITED_NOTE = '-1 is unlimited.'

export const planStatusSchema = z
  .object({
    plan,
    limits: z.object({
      max_concurrent_servers: z.int().openapi({ description: UNLIMITED_NOTE }),
      max_tier: z.string(),
      max_server_ttl: z.int().openapi({ description: `Seconds; ${UNLIMITED_NOTE}` }),
      regions: z.array(z.enum(REGIONS)),
      max_builds: z.int().openapi({ description: UNLIMITED_NOTE }),
      queues_enabled: z.boolean(),
      lobbies_enabled: z.boolean(),
      matchmaking_enabled: z.boolean(),
      payment_method_required: z.boolean(),
    }),
    current_period_start: dateTime,
    current_period_end: dateTime,
    pending_plan: plan.nullable(),
    payment_method: z
      .object({
        type: z.literal('card'),
        brand: z.string(),
        last4: z.string(),
        exp_month: z.int(),
        exp_year: z.int(),
      })
      .nullable(),
  })
  .openapi('PlanStatus')

export const usageSchema = z
  .object({
    period: z.string().regex(MONTH_PATTERN),
    total_cost: z.number(),
    credit_applied: z.number(),
    balance_due: z.number(),
    projects: z.array(z.object({ project_id: z.string(), name: z.string(), cost: z.number() })),
  })
  .openapi('Usage')

export const toPlanStatusWire = ({ limits, paymentMethod, ...status }: PlanStatus) => ({
  plan: status.plan,
  limits: {
    max_concurrent_servers: limits.maxConcurrentServers,
    max_tier: limits.maxTier,
    max_server_ttl: limits.maxServerTtl,
    regions: limits.regions,
    max_builds: limits.maxBuilds,
    queues_enabled: limits.queuesEnabled,
    lobbies_enabled: limits.lobbiesEnabled,
    matchmaking_enabled: limits.matchmakingEnabled,
    payment_method_required: limits.paymentMethodRequired,
  },
  current_period_start: iso(status.currentPeriodStart),
  current_period_end: iso(status.currentPeriodEnd),
  pending_plan: status.pendingPlan,
  payment_method:
    paymentMethod === null
      ? null
      : {
          type: paymentMethod.type,
          brand: paymentMethod.brand,
          last4: paymentMethod.last4,
          exp_month: paymentMethod.expMonth,
          exp_year: paymentMethod.expYear,
        },
})

/** USD: micro-dollars are whole, so the decimal is exact to six places. */
const usd = (microUsd: number) => microUsd / 1_000_000

export const toUsageWire = (usage: Usage) => ({
  period: usage.month,
  total_cost: usd(usage.totalMicroUsd),
  credit_applied: usd(usage.creditMicroUsd),
  balance_due: usd(usage.balanceMicroUsd),
  projects: usage.projects.map(({ projectId, name, microUsd }) => ({
    project_id: projectId,
    name,
    cost: usd(microUsd),
  })),
})
