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
  NAMES_OF,
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
  plan: required(plan, 'The plan to be on from now on; a higher one than now.'),
  paymentMethodToken: optional(
    text(PAYMENT_TOKEN_LENGTH),
    'A card, as the payment processor names it; needed where none is on file.',
  ),
})
export const downgrade = bodyOf({
  plan: required(plan, 'The plan to be on once the period ends; the current one takes a downgrade back.'),
})
export const paymentMethodBody = bodyOf({
  paymentMethodToken: required(text(PAYMENT_TOKEN_LENGTH), 'The card, as the payment processor names it.'),
})
export const usageQuery = queryOf({
  month: optional(
    plain(z.string().regex(MONTH_PATTERN, 'must be YYYY-MM')),
    'The month, as `2026-03`; the current one unless said.',
  ),
})

const limits = answerOf<PlanLimits>()({
  maxConcurrentServers: required(whole, 'So many servers at a time; -1 is unlimited.'),
  maxTier: required(string, 'The largest server.'),
  maxServerTtl: required(whole, 'So many seconds a server lives at the most; -1 is unlimited.'),
  regions: required(listOf(oneOf(REGIONS)), 'Where servers may run.'),
  maxBuilds: required(whole, 'So many builds that are neither failed nor deleted; -1 is unlimited.'),
  queuesEnabled: required(flag, 'Whether there may be queues.'),
  lobbiesEnabled: required(flag, 'Whether there may be lobbies.'),
  matchmakingEnabled: required(flag, 'Whether lobbies may search.'),
  paymentMethodRequired: required(flag, 'Whether the plan needs a card on file.'),
})

const paymentMethod = answerOf<NonNullable<PlanStatus['paymentMethod']>>()({
  type: required(plain(z.literal('card')), 'What it is.'),
  brand: required(string, 'Whose card it is.'),
  last4: required(string, 'How its number ends.'),
  expMonth: required(whole, 'The month in which it runs out, 1 to 12.'),
  expYear: required(whole, 'The year in which it runs out.'),
})

export const planStatus = answerOf<PlanStatus>()(
  {
    plan: required(plan, 'The plan of now.'),
    tariff: given(oneOf([SELF_HOSTED]), 'On accounts that the operator made, which pay nothing; absent on all others.'),
    limits: required(limits, 'What the account may do, over all its projects.'),
    currentPeriodStart: required(instant, 'When the month began, UTC.'),
    currentPeriodEnd: required(instant, 'When it ends: a pending plan begins then.'),
    pendingPlan: required(nullable(plan), 'The plan after this period; null where it stays.'),
    paymentMethod: required(nullable(paymentMethod), 'The card on file; null where there is none.'),
  },
  'PlanStatus',
  'What an account may do, and how it pays.',
)

/** USD: micro-dollars are whole, so the decimal is exact to six places. */
const usd = { answer: z.number(), encode: (microUsd: number) => microUsd / 1_000_000 }

const projectUsage = answerOf<Usage['projects'][number]>()({
  projectId: required(string, 'The project.'),
  name: required(string, 'Its name.'),
  microUsd: required(usd, 'In US dollars.'),
})

export const usage = answerOf<Usage>(NAMES_OF.usage)(
  {
    month: required(plain(z.string().regex(MONTH_PATTERN)), 'The month: `2026-03`.'),
    totalMicroUsd: required(usd, 'In US dollars.'),
    creditMicroUsd: required(usd, 'What of it is paid by credit, in US dollars.'),
    balanceMicroUsd: required(usd, 'What is left to be paid, in US dollars.'),
    projects: required(longListOf(projectUsage), 'The same, project by project: the thousand that cost most.'),
    hasMore: required(flag, 'Whether projects are left out; the sums hold them all.'),
  },
  'Usage',
  'What was used in a month, and what it costs.',
)
