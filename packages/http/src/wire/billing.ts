import { z } from '@hono/zod-openapi'
import { PLANS, type PlanLimits, REGIONS, SELF_HOSTED } from '@matchyard/core'
import { MONTH_PATTERN, PAYMENT_TOKEN_LENGTH } from '@matchyard/core/domain'
import { answerOf, bodyOf, given, instant, listOf, nullable, optional, plain, queryOf, required } from './codec/index'
import type { PlanStatus, Usage } from './core-types'
import { flag, oneOf, string, text, whole } from './shared'

const plan = oneOf(PLANS)

export const upgrade = bodyOf({
  plan: required('plan', plan),
  payment_method_token: optional('paymentMethodToken', text(PAYMENT_TOKEN_LENGTH)),
})
export const downgrade = bodyOf({ plan: required('plan', plan) })
export const paymentMethodBody = bodyOf({
  payment_method_token: required('paymentMethodToken', text(PAYMENT_TOKEN_LENGTH)),
})
export const usageQuery = queryOf({
  month: optional('month', plain(z.string().regex(MONTH_PATTERN, 'must be YYYY-MM'))),
})

const UNLIMITED_NOTE = '-1 is unlimited.'
const countOrUnlimited = plain(z.int().openapi({ description: UNLIMITED_NOTE }))

const limits = answerOf<PlanLimits>()({
  max_concurrent_servers: required('maxConcurrentServers', countOrUnlimited),
  max_tier: required('maxTier', string),
  max_server_ttl: required('maxServerTtl', plain(z.int().openapi({ description: `Seconds; ${UNLIMITED_NOTE}` }))),
  regions: required('regions', listOf(oneOf(REGIONS))),
  max_builds: required('maxBuilds', countOrUnlimited),
  queues_enabled: required('queuesEnabled', flag),
  lobbies_enabled: required('lobbiesEnabled', flag),
  matchmaking_enabled: required('matchmakingEnabled', flag),
  payment_method_required: required('paymentMethodRequired', flag),
})

const paymentMethod = answerOf<NonNullable<PlanStatus['paymentMethod']>>()({
  type: required('type', plain(z.literal('card'))),
  brand: required('brand', string),
  last4: required('last4', string),
  exp_month: required('expMonth', whole),
  exp_year: required('expYear', whole),
})

export const planStatus = answerOf<PlanStatus>()(
  {
    plan: required('plan', plan),
    tariff: given('tariff', oneOf([SELF_HOSTED])),
    limits: required('limits', limits),
    current_period_start: required('currentPeriodStart', instant),
    current_period_end: required('currentPeriodEnd', instant),
    pending_plan: required('pendingPlan', nullable(plan)),
    payment_method: required('paymentMethod', nullable(paymentMethod)),
  },
  'PlanStatus',
)

/** USD: micro-dollars are whole, so the decimal is exact to six places. */
const usd = { answer: z.number(), encode: (microUsd: number) => microUsd / 1_000_000 }

const projectUsage = answerOf<Usage['projects'][number]>()({
  project_id: required('projectId', string),
  name: required('name', string),
  cost: required('microUsd', usd),
})

export const usage = answerOf<Usage>()(
  {
    period: required('month', plain(z.string().regex(MONTH_PATTERN))),
    total_cost: required('totalMicroUsd', usd),
    credit_applied: required('creditMicroUsd', usd),
    balance_due: required('balanceMicroUsd', usd),
    projects: required('projects', listOf(projectUsage)),
  },
  'Usage',
)
