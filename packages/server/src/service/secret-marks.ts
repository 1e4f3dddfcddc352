import { randomUUID } from 'node:crypto'
import type { Instant } from '@matchyard/core'
import type { Entities, Storage, Tokens, Write } from '@matchyard/core/ports'

/** Id of the row that stores the fingerprint of the secret. */
const SECRET = 'secret'
/** Id of the row about the last change of the secret: the fingerprint of the previous secret and the instant of the change. */
const CHANGE = 'secret-change'
/** Text that is signed with a secret to make its fingerprint. */
const PURPOSE = 'installation-secret'

type Mark = Entities['installation']

/** Change of the installation's secret. */
export interface SecretChange {
  /** Fingerprint of the previous secret. */
  readonly previous: string
  /** Instant from which the new secret signs. */
  readonly at: Instant
}

/** Marks of the storage about the installation's secret. */
export interface SecretMarks {
  /** Fingerprint of the secret; undefined before the first start. */
  readonly current: string | undefined
  /** Last change of the secret; undefined when it was never changed, or accepted without the previous one. */
  readonly change: SecretChange | undefined
  /** Rows as they were read, for the next write. */
  readonly rows: readonly Mark[]
}

/** Returns a keyed fingerprint of a secret, from which the secret cannot be found. */
export const fingerprintOf = (tokens: Pick<Tokens, 'sign'>): string => tokens.sign(PURPOSE, '')

export async function readSecretMarks(storage: Pick<Storage, 'getMany'>): Promise<SecretMarks> {
  const rows = await storage.getMany('installation', [SECRET, CHANGE])
  const markOf = (id: string) => rows.find((row) => row.id === id)?.value
  const [previous, at] = markOf(CHANGE)?.split(' ') ?? []
  const change = previous === undefined || at === undefined ? undefined : { previous, at: Number(at) }
  return { current: markOf(SECRET), change, rows }
}

/**
 * Stores the fingerprint of the secret, and its change from a previous secret if there is one. Returns false when another process stored marks
 * meanwhile.
 */
export async function writeSecretMarks(
  storage: Storage,
  { rows }: SecretMarks,
  { current, change }: Pick<SecretMarks, 'change'> & { readonly current: string },
): Promise<boolean> {
  const write = (id: string, value: string | undefined): Write[] => {
    const before = rows.find((row) => row.id === id)
    const of = { kind: 'installation', id } as const
    if (value === undefined) return before === undefined ? [] : [{ ...of, expected: before.version, remove: true }]
    const put: Mark = { id, version: (before?.version ?? 0) + 1, value }
    return [{ ...of, expected: before?.version ?? 'absent', put }]
  }
  const { ok } = await storage.commit({
    id: randomUUID(),
    // The row gets the newest time in the storage, so that it does not change the newest time.
    at: await storage.newestInstant(),
    checks: [],
    writes: [...write(SECRET, current), ...write(CHANGE, change && `${change.previous} ${change.at}`)],
    counters: [],
    events: [],
    jobs: [],
  })
  return ok
}
