import { z } from '@hono/zod-openapi'
import { PLANS, type PlanLimits, REGIONS, SELF_HOSTED } from '@matchyard/core'
import { MONTH_PATTERN, PAYMENT_TOKEN_LENGTH } from '@matchyard/core/domain'
import {
  answerOf,
  bodyOf,
  given,
  instant,
  listOf,
  longListOf,
  nullable,
  optional,
  plain,
  queryOf,
  required,
} from './codec/index'
import type { PlanStatus, Usage } from './core-types'
import { flag, oneOf, string, text, whole } from './shared'

const plan = oneOf(PLANS)

export const upgrade = bodyOf({
  plan: required('plan', plan, 'The plan to be on from now on; a higher one than now.'),
  payment_method_token: optional(
    'paymentMethodToken',
    text(PAYMENT_TOKEN_LENGTH),
    'A card, as the payment processor names it; needed where none is on file.',
  ),
})
export const downgrade = bodyOf({
  plan: required('plan', plan, 'The plan to be on once the period ends; the current one takes a downgrade back.'),
})
export const paymentMethodBody = bodyOf({
  payment_method_token: required(
    'paymentMethodToken',
    text(PAYMENT_TOKEN_LENGTH),
    'The card, as the payment processor names it.',
  ),
})
export const usageQuery = queryOf({
  month: optional(
    'month',
    plain(z.string().regex(MONTH_PATTERN, 'must be YYYY-MM')),
    'The month, as `2026-03`; the current one unless said.',
  ),
})

const UNLIMITED_NOTE = '-1 is unlimited.'
const countOrUnlimited = plain(z.int().openapi({ description: UNLIMITED_NOTE }))

const limits = answerOf<PlanLimits>()({
  max_concurrent_servers: required(
    'maxConcurrentServers',
    countOrUnlimited,
    'So many servers at a time; -1 is unlimited.',
  ),
  max_tier: required('maxTier', string, 'The largest server.'),
  max_server_ttl: required(
    'maxServerTtl',
    plain(z.int().openapi({ description: `Seconds; ${UNLIMITED_NOTE}` })),
    'So many seconds a server lives at the most; -1 is unlimited.',
  ),
  regions: required('regions', listOf(oneOf(REGIONS)), 'Where servers may run.'),
  max_builds: required(
    'maxBuilds',
    countOrUnlimited,
    'So many builds that are neither failed nor deleted; -1 is unlimited.',
  ),
  queues_enabled: required('queuesEnabled', flag, 'Whether there may be queues.'),
  lobbies_enabled: required('lobbiesEnabled', flag, 'Whether there may be lobbies.'),
  matchmaking_enabled: required('matchmakingEnabled', flag, 'Whether lobbies may search.'),
  payment_method_required: required('paymentMethodRequired', flag, 'Whether the plan needs a card on file.'),
})

const paymentMethod = answerOf<NonNullable<PlanStatus['paymentMethod']>>()({
  type: required('type', plain(z.literal('card')), 'What it is.'),
  brand: required('brand', string, 'Whose card it is.'),
  last4: required('last4', string, 'How its number ends.'),
  exp_month: required('expMonth', whole, 'The month in which it runs out, 1 to 12.'),
  exp_year: required('expYear', whole, 'The year in which it runs out.'),
})

export const planStatus = answerOf<PlanStatus>()(
  {
    plan: required('plan', plan, 'The plan of now.'),
    tariff: given(
      'tariff',
      oneOf([SELF_HOSTED]),
      'On accounts that the operator made, which pay nothing; absent on all others.',
    ),
    limits: required('limits', limits, 'What the account may do, over all its projects.'),
    current_period_start: required('currentPeriodStart', instant, 'When the month began, UTC.'),
    current_period_end: required('currentPeriodEnd', instant, 'When it ends: a pending plan begins then.'),
    pending_plan: required('pendingPlan', nullable(plan), 'The plan after this period; null where it stays.'),
    payment_method: required('paymentMethod', nullable(paymentMethod), 'The card on file; null where there is none.'),
  },
  'PlanStatus',
  'What an account may do, and how it pays.',
)

/** USD: micro-dollars are whole, so the decimal is exact to six places. */
const usd = { answer: z.number(), encode: (microUsd: number) => microUsd / 1_000_000 }

const projectUsage = answerOf<Usage['projects'][number]>()({
  project_id: required('projectId', string, 'The project.'),
  name: required('name', string, 'Its name.'),
  cost: required('microUsd', usd, 'In US dollars.'),
})

export const usage = answerOf<Usage>()(
  {
    period: required('month', plain(z.string().regex(MONTH_PATTERN)), 'The month: `2026-03`.'),
    total_cost: required('totalMicroUsd', usd, 'In US dollars.'),
    credit_applied: required('creditMicroUsd', usd, 'What of it is paid by credit, in US dollars.'),
    balance_due: required('balanceMicroUsd', usd, 'What is left to be paid, in US dollars.'),
    projects: required(
      'projects',
      longListOf(projectUsage),
      'The same, project by project: the thousand that cost most.',
    ),
    has_more: required('hasMore', flag, 'Whether projects are left out; the sums hold them all.'),
  },
  'Usage',
  'What was used in a month, and what it costs.',
)
