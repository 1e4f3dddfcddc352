import type { EntityKind } from '@matchyard/core/ports'
import type { ClientBase } from 'pg'
import { jsonList, toColumn } from '../column-text'
import { send, together } from '../send'
import { commitStatements as statements } from '../statements/commits'
import type { Call } from '../statements/statement'
import { streamLogStatements } from '../statements/stream-log'
import { KINDS_IN_ORDER } from '../tables'
import type { BatchState, RowState } from './batch-state'
import { entityWrites } from './entity-writes'
import { allOf } from './load'
import { logWrite } from './log-write'
import { recordWrites } from './record-writes'
import { historyWrites, totalWrites, usageWrites, waitWrites } from './total-writes'

/**
 * Sends all changes of a batch's accepted commits and then COMMIT, in one round trip. When a statement fails, the
 * server ignores the statements after it, and COMMIT rolls back. Rows that many transactions change (totals, counters)
 * come last, so that they are locked for a short time.
 */
export function writeBatch(client: ClientBase, state: BatchState): Promise<void> {
  const calls: Call[] = [...writesOf(state), ...counterWrites(state), [statements.commit, []]]
  const sendAll = () => calls.map(([statement, values]) => send(client, statement, values).then(() => {}))
  return allOf(together(client, sendAll))
}

/** Returns all writes of a batch except the counters. */
export function writesOf(state: BatchState): Call[] {
  const rows = [...state.rows.values()]
  return [
    ...keyWrites(state),
    ...recordWrites(rows),
    ...KINDS_IN_ORDER.flatMap((kind) => entityWrites(state, kind)),
    ...eventWrites(state),
    ...jobWrites(state),
    ...ticketMarks(rows),
    ...presenceWrites(rows),
    logWrite(state),
    ...totalWrites(rows),
    ...waitWrites(state.accepted),
    ...usageWrites(state.accepted),
    ...historyWrites(state.accepted),
  ]
}

const splitName = (name: string): [kind: string, id: string] => {
  const space = name.indexOf(' ')
  return [name.slice(0, space), toColumn(name.slice(space + 1))]
}

function keyWrites({ keysBefore, keys }: BatchState): Call[] {
  const touched = [...new Set([...keysBefore.keys(), ...keys.keys()])].sort()
  const freed = touched.filter((key) => keysBefore.has(key) && !keys.has(key))
  const moved = touched.filter((key) => keysBefore.has(key) && keys.has(key) && keys.get(key) !== keysBefore.get(key))
  const claimed = touched.filter((key) => !keysBefore.has(key) && keys.has(key))
  const holders = (of: readonly string[]) => {
    const split = of.map((key) => splitName(keys.get(key) ?? ''))
    return [of.map(toColumn), split.map(([kind]) => kind), split.map(([, id]) => id)]
  }
  const calls: Call[] = []
  if (freed.length > 0) calls.push([statements.freeKeys, [freed.map(toColumn), freed.length]])
  if (moved.length > 0) calls.push([statements.moveKeys, [...holders(moved), moved.length]])
  if (claimed.length > 0) calls.push([statements.claimKeys, holders(claimed)])
  return calls
}

function eventWrites({ accepted }: BatchState): Call[] {
  const events = accepted.flatMap((commit) => commit.events)
  if (events.length === 0) return []
  return [
    [
      streamLogStatements.addEvents,
      [
        events.map(({ lobbyId }) => toColumn(lobbyId)),
        events.map(({ version }) => version),
        events.map(({ name }) => name),
        events.map(({ at }) => at),
        jsonList(events.map(({ body }) => body)),
      ],
    ],
  ]
}

// Returns the statements that write jobs. When several commits of a batch write the same job, the last write wins.
function jobWrites({ accepted }: BatchState): Call[] {
  const byId = new Map(accepted.flatMap((commit) => commit.jobs.map((job) => [job.id, job] as const)))
  if (byId.size === 0) return []
  const jobs = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  return [
    [
      statements.putJobs,
      [
        jobs.map(({ id }) => id),
        jobs.map(({ kind }) => toColumn(kind)),
        jobs.map(({ runAt }) => runAt),
        jobs.map(({ tenant }) => toColumn(tenant)),
        jsonList(jobs.map(({ payload }) => payload)),
      ],
    ],
  ]
}

/**
 * Returns the statements that write the changes of tickets, by queue. A ticket that leaves its queue, or is removed,
 * leaves a tombstone in that queue.
 */
function ticketMarks(rows: readonly RowState[]): Call[] {
  const marks = new Map<string, { queueKey: string; id: string; removedAt: number | null }>()
  const mark = (queueKey: unknown, id: string, removedAt: number | null) =>
    marks.set(JSON.stringify([queueKey, id]), { queueKey: String(queueKey), id: toColumn(id), removedAt })
  for (const { kind, id, before, now, at } of rows) {
    if (kind !== 'ticket') continue
    // The queue key is the first value in `counted` and in `columns` of a ticket.
    if (before !== undefined) mark(before.counted[0], id, at)
    if (now !== undefined) mark(now.columns[0], id, null)
  }
  if (marks.size === 0) return []
  const sorted = [...marks.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
  const values = [
    sorted.map(({ queueKey }) => queueKey),
    sorted.map(({ id }) => id),
    sorted.map(({ removedAt }) => removedAt),
  ]
  return [[statements.markTickets, values]]
}

const SCOPES: ReadonlySet<EntityKind> = new Set(['lobby', 'server'] as const)

function presenceWrites(rows: readonly RowState[]): Call[] {
  const scopes = rows.filter(({ kind, now }) => now === undefined && SCOPES.has(kind)).map(({ id }) => toColumn(id))
  return scopes.length === 0 ? [] : [[statements.forgetPresence, [scopes.sort()]]]
}

function counterWrites({ added }: BatchState): Call[] {
  const changes = [...added.entries()].filter(([, add]) => add !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  if (changes.length === 0) return []
  return [[statements.addToCounters, [changes.map(([id]) => toColumn(id)), changes.map(([, add]) => add)]]]
}
