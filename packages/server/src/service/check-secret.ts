import { randomUUID } from 'node:crypto'
import type { Entities, Logger, Storage, Tokens } from '@matchyard/core/ports'
import { ConfigurationError } from '../config/configuration-error'

/** Id of the row that stores the fingerprint of the secret. */
const SECRET = 'secret'
/** Text that is signed with the secret to make the fingerprint. */
const PURPOSE = 'installation-secret'

export interface ToCheckSecret {
  readonly storage: Storage
  readonly tokens: Pick<Tokens, 'sign'>
  readonly logger: Logger
  /** Effect of a secret that differs from the secret of earlier starts. Default: the start is refused. */
  readonly otherSecret?: 'refuse' | 'warn' | undefined
}

const OTHER_SECRET =
  'MATCHYARD_SECRET: it is not the secret that this database was used with before; ' +
  'what this node signs would be refused by the other nodes and by game servers. Give every node the same one. ' +
  'To change it on purpose, stop all nodes and run with the new one: matchyard secret --accept'

/** Compares the secret with the secret of earlier starts. Returns `unknown` when there was no earlier start. */
export async function compareSecret({
  storage,
  tokens,
}: Pick<ToCheckSecret, 'storage' | 'tokens'>): Promise<'same' | 'other' | 'unknown'> {
  const found = await storage.get('installation', SECRET)
  if (found === undefined) return 'unknown'
  return found.value === tokens.sign(PURPOSE, '') ? 'same' : 'other'
}

/**
 * Compares the secret with the secret of earlier starts. For this, the first start stores a keyed fingerprint of the
 * secret. All nodes of a database must sign with the same secret. Without this check, a wrong secret would be noticed
 * only when a game server refuses players. Throws ConfigurationError.
 */
export async function checkSecret(check: ToCheckSecret): Promise<void> {
  const found = await compareSecret(check)
  if (found === 'same') return
  if (found === 'other') {
    if (check.otherSecret !== 'warn') throw new ConfigurationError(OTHER_SECRET)
    check.logger.warn('another secret than at the last start: sessions and signatures from before are refused')
  }
  // When two nodes start for the first time at the same time, one of them stores the fingerprint, and the other node
  // compares its own fingerprint with the stored one.
  if (!(await acceptSecret(check))) await checkSecret(check)
}

/**
 * Stores the fingerprint of this secret as the installation's fingerprint. Returns false when another process stored a
 * fingerprint meanwhile.
 */
export async function acceptSecret({ storage, tokens }: Pick<ToCheckSecret, 'storage' | 'tokens'>): Promise<boolean> {
  const before = await storage.get('installation', SECRET)
  const put: Entities['installation'] = {
    id: SECRET,
    version: (before?.version ?? 0) + 1,
    value: tokens.sign(PURPOSE, ''),
  }
  const { ok } = await storage.commit({
    id: randomUUID(),
    // The row gets the newest time in the storage, so that it does not change the newest time.
    at: await storage.newestInstant(),
    checks: [],
    writes: [{ kind: 'installation', id: SECRET, expected: before?.version ?? 'absent', put }],
    counters: [],
    events: [],
    jobs: [],
  })
  return ok
}
