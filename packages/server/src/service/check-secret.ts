import type { Instant } from '@matchyard/core'
import type { Logger, Storage, Tokens } from '@matchyard/core/ports'
import { ConfigurationError } from '../config/configuration-error'
import { fingerprintOf, readSecretMarks, type SecretMarks, writeSecretMarks } from './secret-marks'

type Signing = Pick<Tokens, 'sign'>

/** Storage, and tokens of the secrets of this process. */
export interface SecretsOfProcess {
  readonly storage: Storage
  /** Tokens of MATCHYARD_SECRET alone. */
  readonly tokens: Signing
  /** Tokens of MATCHYARD_SECRET_PREVIOUS alone; undefined when it is not set. */
  readonly previous?: Signing | undefined
}

export interface ToCheckSecret extends SecretsOfProcess {
  readonly logger: Logger
  /** Effect of a secret that differs from the secret of earlier starts. Default: the start is refused. */
  readonly otherSecret?: 'refuse' | 'warn' | undefined
}

/**
 * Relation of this process's secrets to the database:
 * - `unknown`: no service has started on the database.
 * - `same`: MATCHYARD_SECRET is the database's secret, and a previous secret is the one before it.
 * - `next`: MATCHYARD_SECRET_PREVIOUS is the database's secret; MATCHYARD_SECRET will follow it.
 * - `stale`: MATCHYARD_SECRET is the database's secret, but the previous secret is not the one before it.
 * - `other`: the database has another secret.
 */
export type SecretState = 'unknown' | 'same' | 'next' | 'stale' | 'other'

const OTHER_SECRET =
  'MATCHYARD_SECRET: it is not the secret that this database was used with before; ' +
  'what this node signs would be refused by the other nodes and by game servers. Give every node the same one. ' +
  'To change it, set MATCHYARD_SECRET_PREVIOUS to the old one as well; ' +
  'if the old one is lost, stop all nodes and run with the new one: matchyard secret --accept'

const STALE_SECRET =
  'MATCHYARD_SECRET_PREVIOUS: it is not the secret that this database had before MATCHYARD_SECRET; unset it, or set it to that secret'

export function stateOf(
  { current, change }: SecretMarks,
  { tokens, previous }: Omit<SecretsOfProcess, 'storage'>,
): SecretState {
  if (previous !== undefined && current === fingerprintOf(previous)) return 'next'
  if (current !== undefined && current !== fingerprintOf(tokens)) return 'other'
  if (previous !== undefined && change?.previous !== fingerprintOf(previous)) return 'stale'
  return current === undefined ? 'unknown' : 'same'
}

/** Compares the secrets of this process with the secret of the database. */
export const compareSecret = async (secrets: SecretsOfProcess): Promise<SecretState> =>
  stateOf(await readSecretMarks(secrets.storage), secrets)

/**
 * Compares the secrets with the secret of earlier starts. For this, the first start stores a keyed fingerprint of the
 * secret. All nodes of a database must accept the same secrets. Without this check, a wrong secret would be noticed
 * only when a game server refuses players. Returns the instant of the last change of the secret; undefined without a
 * change. Throws ConfigurationError.
 */
export async function checkSecret(check: ToCheckSecret): Promise<Instant | undefined> {
  const marks = await readSecretMarks(check.storage)
  const state = stateOf(marks, check)
  if (state === 'next') return undefined
  if (state === 'same') return marks.change?.at
  if (state === 'stale') throw new ConfigurationError(STALE_SECRET)
  if (state === 'other') {
    if (check.otherSecret !== 'warn') throw new ConfigurationError(OTHER_SECRET)
    check.logger.warn('another secret than at the last start: sessions and signatures from before are refused')
  }
  // When two nodes start for the first time at the same time, one of them stores the fingerprint, and the other node
  // compares its own fingerprint with the stored one.
  if (await acceptSecret(check)) return undefined
  return checkSecret(check)
}

/**
 * Stores the fingerprint of this secret as the installation's fingerprint, without a previous secret. Returns false
 * when another process stored a fingerprint meanwhile.
 */
export const acceptSecret = async ({ storage, tokens }: SecretsOfProcess): Promise<boolean> =>
  writeSecretMarks(storage, await readSecretMarks(storage), { current: fingerprintOf(tokens), change: undefined })

/**
 * Stores that the new secret signs from an instant on, in place of the previous secret. A change that was stored before
 * keeps an earlier instant. Returns the instant. Throws ConfigurationError when the previous secret is not the
 * database's.
 */
export async function changeSecret(
  { storage, tokens, previous }: SecretsOfProcess & { readonly previous: Signing },
  at: Instant,
): Promise<Instant> {
  for (;;) {
    const marks = await readSecretMarks(storage)
    const state = stateOf(marks, { tokens, previous })
    if (state === 'same' && marks.change !== undefined && marks.change.at <= at) return marks.change.at
    if (state !== 'next' && state !== 'same')
      throw new ConfigurationError(state === 'other' ? OTHER_SECRET : STALE_SECRET)
    const change = { previous: fingerprintOf(previous), at }
    if (await writeSecretMarks(storage, marks, { current: fingerprintOf(tokens), change })) return at
  }
}
