import type { CommitConflict, CommitResult } from '@matchyard/core/ports'
import type { BatchState } from './batch-state'
import { nameOf } from './footprint'
import type { PreparedCommit } from './prepared'

/**
 * Accepts a commit and applies it to the state of the batch, or returns the commit's first conflict, in the order of
 * checks that the storage port defines.
 */
export function judge(state: BatchState, commit: PreparedCommit): CommitResult {
  if (state.isApplied(commit.id)) return { ok: true }
  const conflict =
    staleCheck(state, commit) ?? staleWrite(state, commit) ?? takenKey(state, commit) ?? passedLimit(state, commit)
  if (conflict !== undefined) return { ok: false, conflict }

  // All old keys are freed before any new key is claimed, so that a key can move between the entities of one commit.
  for (const { kind, id } of commit.writes) for (const key of state.keysHeldBy(nameOf(kind, id))) state.free(key)
  for (const { kind, id, form } of commit.writes) {
    const name = nameOf(kind, id)
    for (const key of form?.keys ?? []) state.hold(key, name)
    state.write(name, kind, id, form, commit.at)
  }
  for (const { id, add } of commit.counters) state.add(id, add)
  state.accept(commit)
  return { ok: true }
}

function staleCheck(state: BatchState, { checks }: PreparedCommit): CommitConflict | undefined {
  const stale = checks.find(({ kind, id, expected }) => state.version(nameOf(kind, id)) !== expected)
  return stale && { kind: stale.kind, id: stale.id, on: 'check' }
}

function staleWrite(state: BatchState, { writes }: PreparedCommit): CommitConflict | undefined {
  const stale = writes.find(({ kind, id, expected }) => state.version(nameOf(kind, id)) !== expected)
  return stale && { kind: stale.kind, id: stale.id, on: 'version' }
}

// Unique keys are checked against the state after the commit: entities that the commit writes or removes no longer hold
// their old keys.
function takenKey(state: BatchState, { writes }: PreparedCommit): CommitConflict | undefined {
  const written = new Set(writes.map(({ kind, id }) => nameOf(kind, id)))
  const claimed = new Map<string, string>()
  for (const { kind, id, form } of writes) {
    const name = nameOf(kind, id)
    for (const key of form?.keys ?? []) {
      const holder = state.keys.get(key)
      const other = claimed.get(key)
      const isTaken = (holder !== undefined && !written.has(holder)) || (other !== undefined && other !== name)
      if (isTaken) return { kind: 'unique-key', id: key, on: 'unique' }
      claimed.set(key, name)
    }
  }
  return undefined
}

function passedLimit(state: BatchState, { counters }: PreparedCommit): CommitConflict | undefined {
  const sums = new Map<string, number>()
  for (const { id, add, atMost } of counters) {
    const sum = (sums.get(id) ?? state.counter(id)) + add
    if (atMost !== undefined && sum > atMost) return { kind: 'counter', id, on: 'limit' }
    sums.set(id, sum)
  }
  return undefined
}
