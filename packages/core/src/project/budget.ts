import { BUDGET_MICRO_USD } from '../catalog/limits'
import type { ValidationIssue } from '../errors/decision'

/** Returns the faults of a budget; null stands for none. */
export function budgetFaults(monthlyMicroUsd: unknown): ValidationIssue[] {
  const { min, max } = BUDGET_MICRO_USD
  const isValid = Number.isInteger(monthlyMicroUsd) && Number(monthlyMicroUsd) >= min && Number(monthlyMicroUsd) <= max
  if (monthlyMicroUsd === null || isValid) return []
  return [{ path: 'monthlyMicroUsd', message: `must be null, or whole micro-USD from ${min} to ${max}` }]
}
