import {
  type AnyEntity,
  type Commit,
  type CommitConflict,
  type EntityKind,
  type ExpectedVersion,
  uniqueKeysOf,
} from '@matchyard/core/ports'
import { type MemoryData, stored } from './memory-data'

/**
 * Returns the first conflict of a commit with the stored data, in the order of checks that the storage port defines.
 */
export function findConflict(data: MemoryData, commit: Commit): CommitConflict | undefined {
  const is = (kind: EntityKind, id: string, expected: ExpectedVersion) =>
    (stored(data, kind, id)?.version ?? 'absent') === expected

  for (const { kind, id, expected } of commit.checks) if (!is(kind, id, expected)) return { kind, id, on: 'check' }
  for (const { kind, id, expected } of commit.writes) if (!is(kind, id, expected)) return { kind, id, on: 'version' }
  return findTakenKey(data, commit) ?? findPassedLimit(data, commit)
}

// Unique keys are checked against the state after the commit: rows that the commit writes or removes no longer hold
// their old keys.
function findTakenKey(data: MemoryData, commit: Commit): CommitConflict | undefined {
  const written = new Set(commit.writes.map((write) => `${write.kind} ${write.id}`))
  const claimed = new Map<string, string>()
  for (const write of commit.writes) {
    if (!('put' in write)) continue
    const self = `${write.kind} ${write.id}`
    for (const key of uniqueKeysOf({ kind: write.kind, value: write.put } as AnyEntity)) {
      const holder = data.uniqueKeys.get(key)
      const heldElsewhere = holder !== undefined && !written.has(`${holder.kind} ${holder.id}`)
      if (heldElsewhere || (claimed.get(key) ?? self) !== self) return { kind: 'unique-key', id: key, on: 'unique' }
      claimed.set(key, self)
    }
  }
  return undefined
}

function findPassedLimit(data: MemoryData, commit: Commit): CommitConflict | undefined {
  const sums = new Map<string, number>()
  for (const { id, add, atMost } of commit.counters) {
    const sum = (sums.get(id) ?? data.counters.get(id) ?? 0) + add
    if (atMost !== undefined && sum > atMost) return { kind: 'counter', id, on: 'limit' }
    sums.set(id, sum)
  }
  return undefined
}
