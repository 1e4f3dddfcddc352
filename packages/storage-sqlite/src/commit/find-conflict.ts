import { type AnyEntity, type Commit, type CommitConflict, type EntityKind, uniqueKeysOf } from '@matchyard/core/ports'
import type { CurrentRow } from '../statements/entities'
import type { Statements } from '../statements/index'
import type { Group } from './group'
import type { GroupTally } from './group-tally'

/** Results of the checks of a commit, so that the writing of the commit need not read the same rows again. */
export interface Findings {
  /** Current row of each write; undefined if there is no row. */
  readonly rows: readonly (CurrentRow | undefined)[]
  /**
   * Unique keys that no longer belong to their entity after the commit. A key that stays with its entity is neither in
   * `freed` nor in `claimed`.
   */
  readonly freed: ReadonlySet<string>
  readonly claimed: ReadonlyMap<string, { readonly kind: EntityKind; readonly id: string }>
  readonly sums: ReadonlyMap<string, number>
}

/**
 * Returns the commit's first conflict, in the order of checks that the storage port defines. Without a conflict,
 * returns the data that is needed to write the commit.
 */
export function findConflict(statements: Statements, commit: Commit, group: Group): CommitConflict | Findings {
  const current = (kind: EntityKind, id: string) => statements.entities[kind].current.get(id)

  for (const { kind, id, expected } of commit.checks) {
    const version = group.known.versionInGroup(kind, id) ?? current(kind, id)?.[1] ?? 'absent'
    if (version !== expected) return { kind, id, on: 'check' }
  }
  const rows: (CurrentRow | undefined)[] = []
  for (const { kind, id, expected } of commit.writes) {
    const row = current(kind, id)
    if ((row?.[1] ?? 'absent') !== expected) return { kind, id, on: 'version' }
    rows.push(row)
  }
  const keys = moveKeys(statements, commit, rows)
  if ('on' in keys) return keys
  const sums = addUp(statements, commit, group.tally)
  return 'on' in sums ? sums : { rows, ...keys, sums }
}

// Unique keys are checked against the state after the commit: rows that this commit writes or removes no longer hold
// their old keys.
function moveKeys(
  { commits }: Statements,
  commit: Commit,
  rows: readonly (CurrentRow | undefined)[],
): CommitConflict | Pick<Findings, 'freed' | 'claimed'> {
  const before = new Map<string, string>()
  for (const [index, { kind, id }] of commit.writes.entries()) {
    const held = rows[index]?.[2]
    for (const key of held == null ? [] : parseKeys(held)) before.set(key, `${kind} ${id}`)
  }
  const after = new Map<string, { kind: EntityKind; id: string }>()
  for (const write of commit.writes) {
    if (!('put' in write)) continue
    const { kind, id } = write
    for (const key of uniqueKeysOf({ kind, value: write.put } as AnyEntity)) {
      const other = after.get(key)
      const heldElsewhere = !before.has(key) && commits.holderOfKey.get(key) !== undefined
      if (heldElsewhere || (other !== undefined && (other.kind !== kind || other.id !== id))) {
        return { kind: 'unique-key', id: key, on: 'unique' }
      }
      after.set(key, { kind, id })
    }
  }
  const freed = new Set<string>()
  for (const [key, holder] of before) {
    const next = after.get(key)
    if (next !== undefined && `${next.kind} ${next.id}` === holder) after.delete(key)
    else freed.add(key)
  }
  return { freed, claimed: after }
}

const parseKeys = (json: string): readonly string[] => JSON.parse(json)

function addUp(
  statements: Statements,
  commit: Commit,
  tally: GroupTally,
): CommitConflict | ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { id, add, atMost } of commit.counters) {
    const sum = (sums.get(id) ?? tally.sum(statements, id)) + add
    if (atMost !== undefined && sum > atMost) return { kind: 'counter', id, on: 'limit' }
    sums.set(id, sum)
  }
  return sums
}
