import type { Lobby, Match, QueueTicket } from '@matchyard/core'
import { utf8Length } from '@matchyard/core/domain'
import {
  type AnyEntity,
  addWaits,
  type Commit,
  type EntityKind,
  forgottenOf,
  isChangeKind,
  isCutDue,
  isParty,
  type QueueFigure,
  queueKey,
  type StreamEvent,
  type UsageSum,
  uniqueKeysOf,
  usageKey,
  type Write,
  waitCellsOf,
} from '@matchyard/core/ports'
import { noteStanding } from './board-index'
import { addToHistory } from './history'
import { keepRecord } from './kept-records'
import { noteLobby } from './lobby-index'
import { noteMark } from './marks'
import { inner, type MemoryData, StoredEntity, stored } from './memory-data'

/** Applies a commit that has no conflict. Nothing here throws, so the commit is never applied in part. */
export function applyCommit(data: MemoryData, commit: Commit): void {
  // All old keys are removed before any new key is added, so that a key can move between the entities of one commit.
  for (const write of commit.writes) freeKeys(data, write.kind, write.id)
  const texts = new Map<unknown, string>()
  for (const write of commit.writes) applyWrite(data, write, commit.at, texts)
  for (const figure of commit.figures ?? []) count(data, figure)
  for (const sum of commit.usage ?? []) meter(data, sum)
  for (const cell of commit.history ?? []) addToHistory(data, cell)
  for (const { id, add } of commit.counters) data.counters.set(id, (data.counters.get(id) ?? 0) + add)
  for (const event of commit.events) appendEvent(data, event, texts.get(event.lobby) ?? JSON.stringify(event.lobby))
  for (const { id, kind, runAt, tenant, payload } of commit.jobs) {
    data.jobs.set(id, { id, kind, runAt, tenant, payload: JSON.stringify(payload), attempts: 0, claim: undefined })
  }
  data.commits.set(commit.id, commit.at)
  data.newestInstant = Math.max(data.newestInstant, commit.at)
}

function appendEvent(data: MemoryData, { lobbyId, version, name, at }: StreamEvent, text: string): void {
  const log = data.events.get(lobbyId) ?? []
  const bytes = utf8Length(text)
  const total = (log.at(-1)?.total ?? 0) + bytes
  log.push({ version, name, at, bytes, total, text })
  if (isCutDue({ version, bytes, total })) log.splice(0, forgottenOf(log))
  data.events.set(lobbyId, log)
}

/** Writes or removes one entity. Adds the JSON of a written entity to `texts`. */
function applyWrite(data: MemoryData, write: Write, at: number, texts: Map<unknown, string>): void {
  const { kind, id } = write
  markChange(data, write, at)
  const before = kind === 'ticket' ? stored(data, kind, id)?.value : undefined
  if (before !== undefined) {
    markTicket(data, before.queueKey, id, at)
    countWaiting(data, before, -1)
  }
  const known = kind === 'lobby' ? stored(data, kind, id)?.value : undefined
  if (!('put' in write)) {
    data.entities.get(kind)?.delete(id)
    if (known !== undefined) countLobby(data, known, -1)
    if (kind === 'lobby') noteLobby(data, known, undefined)
    if (kind === 'standing') noteStanding(data, id, undefined)
    if (kind === 'lobby' || kind === 'server') data.presence.delete(id)
    return
  }
  if (write.kind === 'match') countMatch(data, write.put)
  const text = JSON.stringify(write.put)
  texts.set(write.put, text)
  const keys = uniqueKeysOf({ kind, value: write.put } as AnyEntity)
  inner(data.entities, kind).set(id, new StoredEntity(text, write.put.version, keys))
  if (write.kind === 'lobby') {
    if (known === undefined) countLobby(data, write.put, 1)
    noteLobby(data, known, write.put)
  }
  if (write.kind === 'standing') noteStanding(data, id, write.put)
  if (write.kind === 'idempotency') keepRecord(data, write.put, at)
  for (const key of keys) data.uniqueKeys.set(key, { kind, id })
  if (write.kind === 'ticket') {
    markTicket(data, write.put.queueKey, id, undefined)
    countWaiting(data, write.put, 1)
  }
}

function countWaiting(data: MemoryData, ticket: QueueTicket, sign: 1 | -1): void {
  if (!isParty(ticket)) return
  const { queueKey, players } = ticket
  const before = data.waiting.get(queueKey) ?? { queueKey, parties: 0, players: 0 }
  const parties = before.parties + sign
  if (parties === 0) data.waiting.delete(queueKey)
  else data.waiting.set(queueKey, { queueKey, parties, players: before.players + sign * players.length })
}

function countLobby({ lobbyCounts }: MemoryData, { projectId }: Lobby, sign: 1 | -1): void {
  const count = (lobbyCounts.get(projectId) ?? 0) + sign
  if (count === 0) lobbyCounts.delete(projectId)
  else lobbyCounts.set(projectId, count)
}

function countMatch(data: MemoryData, match: Match): void {
  const key = queueKey(match.projectId, match.queueId)
  for (const cell of waitCellsOf(match)) count(data, { ...cell, queueKey: key })
}

function count(data: MemoryData, { queueKey, ...cell }: QueueFigure): void {
  const cells = inner(data.matchWaits, queueKey)
  const key = `${cell.players}/${cell.bucket}/${cell.slot}`
  cells.set(key, addWaits(cells.get(key), cell))
}

function meter(data: MemoryData, sum: UsageSum): void {
  const sums = inner(data.usage, sum.accountId)
  const key = usageKey(sum)
  sums.set(key, { ...sum, seconds: (sums.get(key)?.seconds ?? 0) + sum.seconds })
}

function freeKeys(data: MemoryData, kind: EntityKind, id: string): void {
  for (const key of stored(data, kind, id)?.uniqueKeys ?? []) data.uniqueKeys.delete(key)
}

function markTicket(data: MemoryData, queueKey: string, id: string, removedAt: number | undefined): void {
  const marks = inner(data.ticketMarks, queueKey)
  // Deleted first: a map keeps the old position of a key that is set again, and the changes are read in order.
  marks.delete(id)
  const mark = { sequence: ++data.sequence, removedAt }
  marks.set(id, mark)
  noteMark(marks, id, mark)
}

function markChange(data: MemoryData, write: Write, at: number): void {
  const { kind, id } = write
  if (!isChangeKind(kind)) return
  const value = 'put' in write ? write.put : stored(data, kind, id)?.value
  if (value === undefined || !('projectId' in value)) return
  const marks = inner(data.changeMarks, value.projectId)
  const name = `${kind} ${id}`
  marks.delete(name)
  const removed = !('put' in write)
  const version = removed ? value.version + 1 : value.version
  const mark = { sequence: ++data.sequence, kind, id, version, removedAt: removed ? at : undefined }
  marks.set(name, mark)
  noteMark(marks, name, mark)
}
