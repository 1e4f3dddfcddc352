import { validationFailed } from '../errors/service-error'

/** Throws VALIDATION_FAILED for what is no plan of the catalogue: its limits would be asked for at every call, and there are none. */
export function requirePlan(plan: string | undefined, known: readonly string[]): void {
  if (plan === undefined || known.includes(plan)) return
  throw validationFailed([{ path: 'plan', message: `must be one of ${known.join(', ')}` }])
}
