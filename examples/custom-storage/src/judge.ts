import type { Instant } from '@matchyard/core'
import { utf8Length } from '@matchyard/core/domain'
import {
  type AnyEntity,
  addedHistory,
  addedUp,
  addHistory,
  addWaits,
  type ChangeKind,
  type Commit,
  type CommitConflict,
  type EntityKind,
  type ExpectedVersion,
  forgottenOf,
  type HistoryCell,
  historyKey,
  isChangeKind,
  isCutDue,
  type JobSpec,
  type LogEntry,
  type LoggedEvent,
  type QueueFigure,
  queueKey,
  type StreamEvent,
  type UsageSum,
  uniqueKeysOf,
  usageKey,
  type WaitCell,
  waitCellsOf,
} from '@matchyard/core/ports'
import { type Change, type Journal, sequence } from './journal'
import { keptWith } from './kept'

/** Number of the last change of a ticket. A removed ticket leaves a tombstone with the time of its removal. */
export type Mark = [number: number, removedAt: Instant | null]

/** Last change of an entity of a project. A removed entity leaves a tombstone with the version after its last one. */
export type ProjectMark = [number: number, kind: ChangeKind, id: string, version: number, removedAt: Instant | null]

/** A job, with its claim. */
export type Job = JobSpec & { attempts: number; holder?: string; token?: string; until?: Instant }

/** A stream event, with its size and the size of its log up to it. */
export type Entry = LoggedEvent & LogEntry

export const logOf = (journal: Journal, lobbyId: string): Entry[] => [
  ...journal.rows<Entry>(`event ${lobbyId}`).values(),
]

/** Returns the changes that append an event to its log and cut the log to its bounds. */
function appended(log: readonly Entry[], event: StreamEvent): Change[] {
  const table = `event ${event.lobbyId}`
  const bytes = utf8Length(JSON.stringify(event.lobby))
  const entry: Entry = { ...event, bytes, total: (log.at(-1)?.total ?? 0) + bytes }
  const cut = isCutDue(entry) ? forgottenOf([...log, entry]) : 0
  const gone = log.slice(0, cut).map(({ version }): Change => [table, String(version)])
  return [...gone, [table, String(event.version), entry]]
}

const keysOf = (kind: EntityKind, value: AnyEntity['value'] | undefined) =>
  value === undefined ? [] : uniqueKeysOf({ kind, value } as AnyEntity)

/** Returns the changes of a commit, or its first conflict in the order of the port. */
export function judge(
  journal: Journal,
  { id, at, checks, writes, counters, events, jobs, figures = [], usage = [], history = [] }: Commit,
): Change[] | CommitConflict {
  const stored = (kind: EntityKind, id: string) => journal.rows<AnyEntity['value']>(kind).get(id)
  const isNow = (kind: EntityKind, id: string, expected: ExpectedVersion) =>
    (stored(kind, id)?.version ?? 'absent') === expected
  for (const { kind, id, expected } of checks) if (!isNow(kind, id, expected)) return { kind, id, on: 'check' }
  for (const { kind, id, expected } of writes) if (!isNow(kind, id, expected)) return { kind, id, on: 'version' }

  // Unique keys are checked against the state after the commit, so all old keys are removed before new ones are added.
  const changes = writes.flatMap(({ kind, id }) =>
    keysOf(kind, stored(kind, id)).map((key): Change => ['unique-key', key]),
  )
  const freed = new Set(changes.map(([, key]) => key))
  const taken = new Set<string>()
  for (const write of writes) {
    for (const key of 'put' in write ? new Set(keysOf(write.kind, write.put)) : []) {
      const isHeld = journal.rows('unique-key').has(key) && !freed.has(key)
      if (isHeld || taken.has(key)) return { kind: 'unique-key', id: key, on: 'unique' }
      taken.add(key)
      changes.push(['unique-key', key, [write.kind, write.id]])
    }
  }

  const sums = new Map(journal.rows<number>('counter'))
  for (const { id, add, atMost = Number.POSITIVE_INFINITY } of counters) {
    const sum = (sums.get(id) ?? 0) + add
    if (sum > atMost) return { kind: 'counter', id, on: 'limit' }
    sums.set(id, sum)
    changes.push(['counter', id, sum])
  }

  const sumsOfWaits = new Map<string, WaitCell>()
  const ofMatches = writes.flatMap((write): QueueFigure[] => {
    if (write.kind !== 'match' || !('put' in write)) return []
    const key = queueKey(write.put.projectId, write.put.queueId)
    return waitCellsOf(write.put).map((cell) => ({ ...cell, queueKey: key }))
  })
  for (const { queueKey: queue, ...cell } of [...ofMatches, ...figures]) {
    const table = `waits ${queue}`
    const key = JSON.stringify([cell.players, cell.bucket, cell.slot])
    const name = `${table} ${key}`
    const sum = addWaits(sumsOfWaits.get(name) ?? journal.rows<WaitCell>(table).get(key), cell)
    sumsOfWaits.set(name, sum)
    changes.push([table, key, sum])
  }

  for (const sum of addedUp(usage)) {
    const key = usageKey(sum)
    const before = journal.rows<UsageSum>(`usage ${sum.accountId}`).get(key)
    changes.push([`usage ${sum.accountId}`, key, { ...sum, seconds: (before?.seconds ?? 0) + sum.seconds }])
  }

  for (const cell of addedHistory(history)) {
    const table = `history ${cell.step}`
    const key = historyKey(cell)
    changes.push([table, key, addHistory(journal.rows<HistoryCell>(table).get(key), cell)])
  }

  const next = sequence(journal, changes)
  for (const write of writes) {
    const { kind, id } = write
    const queueOf = (value?: AnyEntity['value']) =>
      value && kind === 'ticket' && 'queueKey' in value ? value.queueKey : ''
    const [left, entered] = [queueOf(stored(kind, id)), 'put' in write ? queueOf(write.put) : '']
    if (left !== '') changes.push([`mark ${left}`, id, [next(), at] satisfies Mark])
    if (entered !== '') changes.push([`mark ${entered}`, id, [next(), null] satisfies Mark])
    const value = 'put' in write ? write.put : stored(kind, id)
    if (isChangeKind(kind) && value && 'projectId' in value) {
      const [version, removedAt] = 'put' in write ? [value.version, null] : [value.version + 1, at]
      const mark: ProjectMark = [next(), kind, id, version, removedAt]
      changes.push([`change ${value.projectId}`, `${kind} ${id}`, mark])
    }
    changes.push('put' in write ? [kind, id, write.put] : [kind, id])
    if (write.kind === 'idempotency' && 'put' in write) changes.push(...keptWith(journal, write.put, at))
    if ('remove' in write) changes.push([`presence ${id}`])
  }
  for (const event of events) changes.push(...appended(logOf(journal, event.lobbyId), event))
  for (const job of jobs) changes.push(['job', job.id, { ...job, attempts: 0 } satisfies Job])
  const newest = Math.max(at, journal.rows<number>('store').get('newest') ?? 0)
  return [...changes, ['commit', id, at], ['store', 'newest', newest]]
}
