import { validationFailed } from '../errors/service-error'

/**
 * Throws VALIDATION_FAILED for an unknown plan. Every later call reads the limits of the account's plan, and an unknown plan has no limits.
 */
export function requirePlan(plan: string | undefined, known: readonly string[]): void {
  if (plan === undefined || known.includes(plan)) return
  throw validationFailed([{ path: 'plan', message: `must be one of ${known.join(', ')}` }])
}
