import type { Spending } from './spending'

/** Share of the budget from which on the service warns. */
const NEAR = 0.8
/** Share of the budget below which the forecast must fall before its warning ends, so that a forecast at the edge warns once. */
const STAYS = 0.9

/** State of a budget in a month. `passed`: it is spent. `near`: it is nearly spent, or will be spent by the forecast. */
export type BudgetState = 'passed' | 'near' | 'within'

/** Returns the state of a budget. `isNear` tells whether the service already warns. */
export function budgetState(
  budgetMicroUsd: number,
  { spentMicroUsd, forecastMicroUsd }: Pick<Spending, 'spentMicroUsd' | 'forecastMicroUsd'>,
  isNear: boolean,
): BudgetState {
  if (spentMicroUsd >= budgetMicroUsd) return 'passed'
  const edge = isNear ? STAYS : 1
  return spentMicroUsd >= NEAR * budgetMicroUsd || forecastMicroUsd >= edge * budgetMicroUsd ? 'near' : 'within'
}
