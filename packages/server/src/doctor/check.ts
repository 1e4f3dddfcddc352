import type { VariableName } from '../config/environment'
import type { ServiceConfig } from '../config/serve-config'

/** `fail`: the service will not start or not do its work. `warn`: it will, but less well or less safely. */
export type CheckStatus = 'ok' | 'warn' | 'fail'

export interface Finding {
  readonly status: CheckStatus
  /** Finding, in a sentence. */
  readonly message: string
  /** The line that mends it, where it is another than the check's own. */
  readonly mend?: string
}

export interface Patient {
  readonly config: ServiceConfig
  /** Faults of single variables; the configuration has their defaults. */
  readonly faults: ReadonlyMap<VariableName, string>
}

/** One thing that `matchyard doctor` looks at. */
export interface Check {
  readonly name: string
  /** The line that mends it when it is not well. */
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

/** Looks once, however many checks ask. */
export function oncePerPatient<T>(look: (patient: Patient) => T): (patient: Patient) => T {
  const seen = new WeakMap<Patient, { readonly found: T }>()
  return (patient) => {
    const known = seen.get(patient) ?? { found: look(patient) }
    seen.set(patient, known)
    return known.found
  }
}

/** Runs every check; one that breaks has failed and keeps no other from its turn. */
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
