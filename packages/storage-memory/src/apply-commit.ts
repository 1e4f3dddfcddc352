import { type AnyEntity, type Commit, type EntityKind, uniqueKeysOf, type Write } from '@matchyard/core'
import { inner, type MemoryData, stored } from './memory-data'

/** Applies a commit that nothing stands in the way of. It cannot fail half-way: there is nothing in it that throws. */
export function applyCommit(data: MemoryData, commit: Commit): void {
  // All old keys go before any new one comes, so that a key may move between the entities of one commit.
  for (const write of commit.writes) freeKeys(data, write.kind, write.id)
  for (const write of commit.writes) applyWrite(data, write, commit.at)
  for (const { id, add } of commit.counters) data.counters.set(id, (data.counters.get(id) ?? 0) + add)
  for (const { lobbyId, version, name, at, lobby } of commit.events) {
    const stream = data.events.get(lobbyId) ?? []
    stream.push({ version, name, at, text: JSON.stringify(lobby) })
    data.events.set(lobbyId, stream)
  }
  for (const { id, kind, runAt, payload } of commit.jobs) {
    data.jobs.set(id, { id, kind, runAt, payload: JSON.stringify(payload), attempts: 0, claim: undefined })
  }
  data.commits.set(commit.id, commit.at)
  data.newestInstant = Math.max(data.newestInstant, commit.at)
}

function applyWrite(data: MemoryData, write: Write, at: number): void {
  const { kind, id } = write
  const before = kind === 'ticket' ? stored(data, kind, id)?.value.queueKey : undefined
  if (before !== undefined) markTicket(data, before, id, at)
  if (!('put' in write)) {
    data.entities.get(kind)?.delete(id)
    if (kind === 'lobby' || kind === 'server') data.presence.delete(id)
    return
  }
  const text = JSON.stringify(write.put)
  inner(data.entities, kind).set(id, { value: JSON.parse(text), text })
  for (const key of uniqueKeysOf({ kind, value: write.put } as AnyEntity)) data.uniqueKeys.set(key, { kind, id })
  if (write.kind === 'ticket') markTicket(data, write.put.queueKey, id, undefined)
}

function freeKeys(data: MemoryData, kind: EntityKind, id: string): void {
  const before = stored(data, kind, id)
  if (before === undefined) return
  for (const key of uniqueKeysOf({ kind, value: before.value } as AnyEntity)) data.uniqueKeys.delete(key)
}

function markTicket(data: MemoryData, queueKey: string, id: string, removedAt: number | undefined): void {
  const marks = inner(data.ticketMarks, queueKey)
  // Taken out first: a map keeps a key that is set again in its old place, and changes are read in order.
  marks.delete(id)
  marks.set(id, { sequence: ++data.sequence, removedAt })
}
