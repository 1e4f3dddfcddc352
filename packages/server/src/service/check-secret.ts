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
  /** Reaction to a secret that differs from that of earlier starts. Default: the start is refused. */
  readonly otherSecret?: 'refuse' | 'warn' | undefined
}

const OTHER_SECRET =
  'MATCHYARD_SECRET: it is not the secret that this database was used with before; ' +
  'what this node signs would be refused by the other nodes and by game servers. Give every node the same one. ' +
  'To change it on purpose, stop all nodes and run with the new one: matchyard secret --accept'

/** Compares the secret with that of earlier starts. Returns `unknown` when there was no earlier start. */
export async function compareSecret({
  storage,
  tokens,
}: Pick<ToCheckSecret, 'storage' | 'tokens'>): Promise<'same' | 'other' | 'unknown'> {
  const found = await storage.get('installation', SECRET)
  if (found === undefined) return 'unknown'
  return found.value === tokens.sign(PURPOSE, '') ? 'same' : 'other'
}

/**
 * Compares the secret with that of earlier starts, by a keyed fingerprint, which the first start stores. All nodes of a
 * database must sign with the same secret. Otherwise only players would notice the difference, when a game server
 * refuses them. Throws ConfigurationError.
 */
export async function checkSecret(check: ToCheckSecret): Promise<void> {
  const found = await compareSecret(check)
  if (found === 'same') return
  if (found === 'other') {
    if (check.otherSecret !== 'warn') throw new ConfigurationError(OTHER_SECRET)
    check.logger.warn('another secret than at the last start: sessions and signatures from before are refused')
  }
  // When two nodes start for the first time at once, one of them stores the fingerprint, and the other compares its own
  // fingerprint with the stored one.
  if (!(await acceptSecret(check))) await checkSecret(check)
}

/**
 * Stores the fingerprint of this secret as the installation's. Returns false when another process stored a fingerprint
 * meanwhile.
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
    // This row must not change the newest time in the storage.
    at: await storage.newestInstant(),
    checks: [],
    writes: [{ kind: 'installation', id: SECRET, expected: before?.version ?? 'absent', put }],
    counters: [],
    events: [],
    jobs: [],
  })
  return ok
}
