import type { VariableName } from '../config/environment'
import type { ServiceConfig } from '../config/serve-config'

/**
 * Result of a check. `fail`: the service will not start, or will not work as configured. `warn`: the service works, but
 * less well or less safely.
 */
export type CheckStatus = 'ok' | 'warn' | 'fail'

export interface Finding {
  readonly status: CheckStatus
  /** Sentence about the result. */
  readonly message: string
  /** Remedy for this result, if it differs from the remedy of its check. */
  readonly mend?: string
}

export interface Patient {
  readonly config: ServiceConfig
  /** Faults of single environment variables. In `config`, these variables have their default values. */
  readonly faults: ReadonlyMap<VariableName, string>
}

/** One check of `matchyard doctor`. */
export interface Check {
  readonly name: string
  /** Remedy for a failure or a warning. */
  readonly mend: string
  look(patient: Patient): Finding | Promise<Finding>
}

export interface CheckResult extends Finding {
  readonly name: string
  readonly mend: string
}

export const ok = (message: string): Finding => ({ status: 'ok', message })
export const warn = (message: string, mend?: string): Finding => finding('warn', message, mend)
export const fail = (message: string, mend?: string): Finding => finding('fail', message, mend)

const finding = (status: CheckStatus, message: string, mend?: string): Finding =>
  mend === undefined ? { status, message } : { status, message, mend }

/** Returns `look` with a cache, so that several checks with the same configuration call `look` only once. */
export function oncePerPatient<T>(look: (patient: Patient) => T): (patient: Patient) => T {
  const seen = new WeakMap<Patient, { readonly found: T }>()
  return (patient) => {
    const known = seen.get(patient) ?? { found: look(patient) }
    seen.set(patient, known)
    return known.found
  }
}

/** Runs every check. A check that throws counts as failed, and the other checks still run. */
export async function examineAll(checks: readonly Check[], patient: Patient): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const { name, mend, look } of checks) {
    const found = await Promise.resolve()
      .then(() => look(patient))
      .catch((error: unknown) => fail(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)))
    results.push({ name, mend, ...found })
  }
  return results
}
