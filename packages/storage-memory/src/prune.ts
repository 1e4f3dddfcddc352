import { type GameServer, type Instant, LIVE_SERVER_STATUSES } from '@matchyard/core'
import { HOUR_MS } from '@matchyard/core/domain'
import {
  ARRIVALS_KEPT,
  ARRIVALS_KEPT_MS,
  AUDIT_KEPT,
  AUDIT_KEPT_MS,
  auditScope,
  CHANGE_RETENTION_MS,
  DELIVERIES_KEPT_MS,
  type Entities,
  type EntityKind,
  forgottenOf,
  queueOfArrivals,
  STREAM_RETENTION,
} from '@matchyard/core/ports'
import { pruneHistory } from './history'
import { tidyRecords } from './kept-records'
import { newestFirst } from './lobby-index'
import { type MemoryData, stored, storedValues } from './memory-data'

const isLive = ({ status }: GameServer) => LIVE_SERVER_STATUSES.includes(status)

/** Prunes the lobbies' logs of stream events to the bounds of the port. */
export function pruneEvents(data: MemoryData, now: Instant): void {
  for (const [lobbyId, log] of data.events) {
    const last = log.at(-1)
    if (last?.name === 'lobby_deleted' && last.at < now - STREAM_RETENTION.ms) data.events.delete(lobbyId)
    else log.splice(0, forgottenOf(log, now))
  }
}

function forget<K extends EntityKind>(data: MemoryData, kind: K, isOver: (value: Entities[K]) => boolean): void {
  for (const value of storedValues(data, kind)) if (isOver(value)) data.entities.get(kind)?.delete(value.id)
}

/**
 * Removes the oldest recorded arrivals of each queue that exceed `ARRIVALS_KEPT`. A batch of arrivals is kept or
 * removed as a whole.
 */
function forgetArrivals(data: MemoryData): void {
  const kept = new Map<string, number>()
  const newestFirst = storedValues(data, 'arrivals').sort((a, b) => (a.id < b.id ? 1 : -1))
  for (const { id, arrivals } of newestFirst) {
    const queueKey = queueOfArrivals(id)
    const newer = kept.get(queueKey) ?? 0
    if (newer >= ARRIVALS_KEPT) data.entities.get('arrivals')?.delete(id)
    kept.set(queueKey, newer + arrivals.length)
  }
}

/** Removes the oldest entries of each scope of the audit log that exceed `AUDIT_KEPT`. */
function forgetAudit(data: MemoryData): void {
  const entries = storedValues(data, 'audit')
  if (entries.length <= AUDIT_KEPT) return
  const kept = new Map<string, number>()
  for (const entry of entries.sort(newestFirst)) {
    const scope = auditScope(entry)
    const newer = kept.get(scope) ?? 0
    if (newer >= AUDIT_KEPT) data.entities.get('audit')?.delete(entry.id)
    kept.set(scope, newer + 1)
  }
}

/** Removes the data that the storage port no longer keeps (listed at `prune` of the port). */
export function prune(data: MemoryData, now: Instant): void {
  for (const [queueKey, marks] of data.ticketMarks) {
    for (const [id, { removedAt }] of marks) {
      if (removedAt !== undefined && removedAt < now - HOUR_MS) marks.delete(id)
    }
    if (marks.size === 0) data.ticketMarks.delete(queueKey)
  }
  for (const [projectId, marks] of data.changeMarks) {
    for (const [name, { removedAt, sequence }] of marks) {
      if (removedAt === undefined || removedAt >= now - CHANGE_RETENTION_MS) continue
      marks.delete(name)
      data.forgottenChanges = Math.max(data.forgottenChanges, sequence)
    }
    if (marks.size === 0) data.changeMarks.delete(projectId)
  }
  for (const cells of data.matchWaits.values()) {
    for (const [key, { slot }] of cells) if (slot < now - HOUR_MS) cells.delete(key)
  }
  pruneHistory(data, now)
  for (const [scope, members] of data.presence) {
    const server = stored(data, 'server', scope)?.value
    const lives = data.entities.get('lobby')?.has(scope) === true || (server !== undefined && isLive(server))
    for (const [member, at] of lives ? [] : members) if (at < now - HOUR_MS) members.delete(member)
    if (members.size === 0) data.presence.delete(scope)
  }
  for (const [id, at] of data.commits) if (at < now - HOUR_MS) data.commits.delete(id)
  forget(data, 'idempotency', ({ expiresAt }) => expiresAt <= now)
  tidyRecords(data)
  forget(data, 'cooldown', ({ until }) => until <= now)
  forget(data, 'arrivals', ({ leftAt }) => leftAt < now - ARRIVALS_KEPT_MS)
  forgetArrivals(data)
  forget(data, 'audit', ({ createdAt }) => createdAt < now - AUDIT_KEPT_MS)
  forgetAudit(data)
  const kept = now - DELIVERIES_KEPT_MS
  forget(data, 'delivery', ({ createdAt }) => createdAt < kept)
  const onTheirWay = new Set(storedValues(data, 'delivery').map(({ messageId }) => messageId))
  forget(data, 'message', ({ id, createdAt }) => createdAt < kept && !onTheirWay.has(id))
}
