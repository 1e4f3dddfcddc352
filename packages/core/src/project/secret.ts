import { SECRET_BYTES } from '../catalog/limits'
import type { ValidationIssue } from '../errors/decision'
import { isWellFormed, utf8Length } from '../shared/json'
import type { Instant } from '../shared/time'

/** Maximum number of secrets of one project. Their names are in the row of the project, which every call reads. */
export const MAX_SECRETS = 32
export const SECRET_NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** Name and times of a secret, as developers see them. They are stored in the row of the project. */
export interface SecretEntry {
  /** Name of the secret: 1 to 64 letters, digits and underscores, without a digit at the begin. Capital and small letters differ. */
  readonly name: string
  /** Instant at which the secret was created. */
  readonly createdAt: Instant
  /** Instant at which the value was last set. */
  readonly updatedAt: Instant
}

/** Secret of a project: a value for environment variables of game servers. The row contains the encrypted value only. */
export interface Secret {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly name: string
  /** Id of this value. Each value that is set has another id, also after the secret was deleted and created again. */
  readonly valueId: string
  /** The value, encrypted with a key that is derived from the installation's secret. */
  readonly sealed: string
}

export const secretId = (projectId: string, name: string): string => `${projectId}/${name}`

/** Row of a project, as far as its secrets are concerned. */
interface Holder {
  readonly secrets?: readonly SecretEntry[]
}

/** Secrets of a project, in the order of their names. */
export const secretsOf = ({ secrets }: Holder): readonly SecretEntry[] => secrets ?? []

/** Returns the secrets of a project after a value was set. */
export function withSecret(project: Holder, name: string, at: Instant): readonly SecretEntry[] {
  const before = secretsOf(project).find((one) => one.name === name)
  const entry = { name, createdAt: before?.createdAt ?? at, updatedAt: at }
  return [...withoutSecretNamed(project, name), entry].sort((a, b) => (a.name < b.name ? -1 : 1))
}

export const withoutSecretNamed = (project: Holder, name: string): readonly SecretEntry[] =>
  secretsOf(project).filter((one) => one.name !== name)

/** Whether the project can have one more secret, or has a secret with this name. */
export const hasRoomForSecret = (project: Holder, name: string): boolean =>
  withoutSecretNamed(project, name).length < MAX_SECRETS

/** Returns the faults of a secret. No message contains the value. */
export function secretFaults({ name, value }: { readonly name: unknown; readonly value: unknown }): ValidationIssue[] {
  const valueFault = faultOfValue(value)
  return [
    ...(typeof name === 'string' && SECRET_NAME_PATTERN.test(name)
      ? []
      : [{ path: 'name', message: 'must be 1 to 64 letters, digits and _, not a digit first' }]),
    ...(valueFault === undefined ? [] : [{ path: 'value', message: valueFault }]),
  ]
}

function faultOfValue(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text'
  const { min, max } = SECRET_BYTES
  if (value.includes('\0')) return 'must not hold U+0000'
  if (!isWellFormed(value)) return 'contains text that is not valid Unicode'
  const bytes = utf8Length(value)
  return bytes < min || bytes > max ? `must have ${min} to ${max} bytes` : undefined
}
