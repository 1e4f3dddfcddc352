import { z } from '@hono/zod-openapi'
import type { BudgetFigures } from '@matchyard/core'
import { BUDGET_MICRO_USD, MONTH_PATTERN } from '@matchyard/core/domain'
import { usd } from './billing'
import { answerOf, bodyOf, NAMES_OF, nullable, plain, required } from './codec/index'
import type { ProjectBudget } from './core-types'

const MICRO = 1_000_000

/** Codec of a budget in the body of a call: US dollars, or null. */
const amount = {
  body: z
    .number()
    .min(BUDGET_MICRO_USD.min / MICRO)
    .max(BUDGET_MICRO_USD.max / MICRO)
    .nullable(),
  decode: (dollars: number | null) => (dollars === null ? null : Math.round(dollars * MICRO)),
  names: undefined,
}

export const newBudget = bodyOf({
  monthlyMicroUsd: required(
    amount,
    'Amount for each calendar month (UTC) in US dollars, 0.01 to 1,000,000; null removes it.',
  ),
})

export const budget = answerOf<ProjectBudget>(NAMES_OF.usage)(
  {
    monthlyMicroUsd: required(
      nullable(usd),
      'Amount for each calendar month (UTC) in US dollars; null without a budget.',
    ),
    month: required(plain(z.string().regex(MONTH_PATTERN)), 'The present month: `2026-03`.'),
    spentMicroUsd: required(usd, 'Cost of the month until now in US dollars, before the credit; at most a minute old.'),
    forecastMicroUsd: required(usd, 'Cost of the whole month at the mean rate since yesterday (UTC), in US dollars.'),
  },
  'Budget',
  'Amount that a month of a project may cost, with its cost and forecast.',
)

/** Codec of a budget in the details of a problem. */
export const budgetFigures = answerOf<BudgetFigures>()({
  monthlyMicroUsd: required(usd, 'Budget of the month in US dollars.'),
  spentMicroUsd: required(usd, 'Cost of the month until now in US dollars.'),
  forecastMicroUsd: required(usd, 'Cost of the whole month at the mean rate since yesterday (UTC), in US dollars.'),
})
