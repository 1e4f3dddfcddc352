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
  plan: required(plan, 'New plan, higher than the current one.'),
  paymentMethodToken: optional(
    text(PAYMENT_TOKEN_LENGTH),
    'Card, as the payment processor names it; required when none is on file.',
  ),
})
export const downgrade = bodyOf({
  plan: required(plan, 'Plan after the period; the current plan cancels a scheduled downgrade.'),
})
export const paymentMethodBody = bodyOf({
  paymentMethodToken: required(text(PAYMENT_TOKEN_LENGTH), 'Card, as the payment processor names it.'),
})
export const usageQuery = queryOf({
  month: optional(
    plain(z.string().regex(MONTH_PATTERN, 'must be YYYY-MM')),
    'Month, for example `2026-03`; the current one by default.',
  ),
})

const limits = answerOf<PlanLimits>()({
  maxConcurrentServers: required(whole, 'Maximum number of servers at a time; -1 is unlimited.'),
  maxTier: required(string, 'Largest server size.'),
  maxServerTtl: required(whole, 'Maximum lifetime of a server in seconds; -1 is unlimited.'),
  regions: required(listOf(oneOf(REGIONS)), 'Regions in which servers may run.'),
  maxBuilds: required(whole, 'Maximum number of builds that are neither failed nor deleted; -1 is unlimited.'),
  queuesEnabled: required(flag, 'Whether the account may have queues.'),
  lobbiesEnabled: required(flag, 'Whether the account may have lobbies.'),
  matchmakingEnabled: required(flag, 'Whether lobbies may search.'),
  paymentMethodRequired: required(flag, 'Whether the plan needs a card on file.'),
})

const paymentMethod = answerOf<NonNullable<PlanStatus['paymentMethod']>>()({
  type: required(plain(z.literal('card')), 'Brand of the card.'),
  brand: required(string, "Name of the card's holder."),
  last4: required(string, "Last digits of the card's number."),
  expMonth: required(whole, 'Month of expiry, 1 to 12.'),
  expYear: required(whole, 'Year of expiry.'),
})

export const planStatus = answerOf<PlanStatus>()(
  {
    plan: required(plan, 'Current plan.'),
    tariff: given(
      oneOf([SELF_HOSTED]),
      'Present on accounts that the operator created, which pay nothing; absent on all others.',
    ),
    limits: required(limits, 'Limits of the account over all its projects.'),
    currentPeriodStart: required(instant, 'Start of the month, in UTC.'),
    currentPeriodEnd: required(instant, 'End of the month; a pending plan begins then.'),
    pendingPlan: required(nullable(plan), 'Plan after this period; null when it stays.'),
    paymentMethod: required(nullable(paymentMethod), 'Card on file; null without one.'),
  },
  'PlanStatus',
  'Limits and payment of an account.',
)

/** Codec of an amount in USD. Amounts are stored as whole micro-dollars, so the decimal is exact to six places. */
export const usd = { answer: z.number(), encode: (microUsd: number) => microUsd / 1_000_000 }

const projectUsage = answerOf<Usage['projects'][number]>()({
  projectId: required(string, 'The project.'),
  name: required(string, 'Its name.'),
  microUsd: required(usd, 'In US dollars.'),
})

export const usage = answerOf<Usage>(NAMES_OF.usage)(
  {
    month: required(plain(z.string().regex(MONTH_PATTERN)), 'The month: `2026-03`.'),
    totalMicroUsd: required(usd, 'In US dollars.'),
    creditMicroUsd: required(usd, 'Part that is paid by credit, in US dollars.'),
    balanceMicroUsd: required(usd, 'Remaining amount, in US dollars.'),
    projects: required(longListOf(projectUsage), 'The same for each project; at most the 1,000 most expensive ones.'),
    hasMore: required(flag, 'Whether projects are missing from the list; the sums include all projects.'),
  },
  'Usage',
  'Usage and cost of a month.',
)
