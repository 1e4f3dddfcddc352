import type { EntityKind } from '@matchyard/core/ports'
import type { PreparedCommit } from './prepared'

/** Consecutive rows of one kind in the order of locking, all of which need the same lock mode. */
export interface LockRun {
  readonly kind: EntityKind
  readonly mode: 'share' | 'update'
  readonly ids: readonly string[]
}

/** Everything that a batch of commits locks and reads before the commits are checked. */
export interface Footprint {
  /**
   * Locks in the order of kind and id. Overlapping batches lock in the same order on every node, so they cannot
   * deadlock.
   */
  readonly locks: readonly LockRun[]
  readonly claimedKeys: readonly string[]
  /** Entities that existed before the batch and may hold unique keys. */
  readonly holders: readonly { readonly kind: EntityKind; readonly id: string }[]
  /**
   * All counters of the batch if at least one of its commits has a limit for a counter; empty if no commit needs the
   * value of a counter.
   */
  readonly counters: readonly string[]
  readonly commitIds: readonly string[]
}

export const nameOf = (kind: EntityKind, id: string): string => `${kind} ${id}`

/** Kinds of entities that can have unique keys (see `uniqueKeysOf`). */
const KEYED: ReadonlySet<EntityKind> = new Set([
  'account',
  'project',
  'api-key',
  'invitation',
  'build',
  'lobby',
  'invite-hold',
  'match',
  'server',
  'machine',
] as const)

export function footprintOf(commits: readonly PreparedCommit[]): Footprint {
  const rows = new Map<string, { kind: EntityKind; id: string; mode: 'share' | 'update' }>()
  const keys = new Set<string>()
  const holders = new Map<string, { kind: EntityKind; id: string }>()
  for (const { checks, writes } of commits) {
    for (const { kind, id } of checks) {
      const name = nameOf(kind, id)
      if (!rows.has(name)) rows.set(name, { kind, id, mode: 'share' })
    }
    for (const { kind, id, expected, form } of writes) {
      const name = nameOf(kind, id)
      rows.set(name, { kind, id, mode: 'update' })
      for (const key of form?.keys ?? []) keys.add(key)
      if (expected !== 'absent' && KEYED.has(kind)) holders.set(name, { kind, id })
    }
  }
  const limited = commits.some(({ counters }) => counters.some(({ atMost }) => atMost !== undefined))
  const counters = new Set(limited ? commits.flatMap((commit) => commit.counters.map(({ id }) => id)) : [])
  return {
    locks: runsOf([...rows.values()].sort(byKindAndId)),
    claimedKeys: [...keys].sort(),
    holders: [...holders.values()],
    counters: [...counters].sort(),
    commitIds: [...new Set(commits.map(({ id }) => id))],
  }
}

const byKindAndId = (a: { kind: string; id: string }, b: { kind: string; id: string }) =>
  a.kind === b.kind ? (a.id < b.id ? -1 : 1) : a.kind < b.kind ? -1 : 1

function runsOf(rows: readonly { kind: EntityKind; id: string; mode: 'share' | 'update' }[]): LockRun[] {
  const runs: { kind: EntityKind; mode: 'share' | 'update'; ids: string[] }[] = []
  for (const { kind, id, mode } of rows) {
    const last = runs.at(-1)
    if (last?.kind === kind && last.mode === mode) last.ids.push(id)
    else runs.push({ kind, mode, ids: [id] })
  }
  return runs
}
