import {
  type AnyEntity,
  type Check,
  type Commit,
  type EntityKind,
  type ExpectedVersion,
  type HistoryCell,
  type JobSpec,
  type QueueFigure,
  queueKey,
  type Signal,
  type StreamEvent,
  signalsOf,
  type UsageSum,
  uniqueKeysOf,
  type WaitCell,
  type Write,
  waitCellsOf,
} from '@matchyard/core/ports'
import { toColumn } from '../column-text'
import { type ColumnValue, columnValues } from '../tables'

/** An entity after a write, as text and column values. */
export interface PreparedForm {
  readonly version: number
  readonly columns: readonly ColumnValue[]
  readonly body: string
  readonly keys: readonly string[]
}

export interface PreparedWrite {
  readonly kind: EntityKind
  readonly id: string
  readonly expected: ExpectedVersion
  /** The entity after the write; undefined when the write removes the entity. */
  readonly form: PreparedForm | undefined
}

export type PreparedWait = WaitCell & { readonly queueKey: string }

/**
 * A commit that was converted to text and column values when it was submitted. Later changes of the caller's objects
 * therefore have no effect.
 */
export interface PreparedCommit {
  readonly id: string
  readonly at: number
  readonly checks: readonly Check[]
  readonly writes: readonly PreparedWrite[]
  readonly counters: Commit['counters']
  readonly events: readonly (Omit<StreamEvent, 'lobby'> & { readonly body: string })[]
  readonly jobs: readonly (Omit<JobSpec, 'payload'> & { readonly payload: string })[]
  readonly signals: readonly Signal[]
  /**
   * Waiting times that this commit adds to the statistics of the queues: those of its new matches, and those given in
   * the commit.
   */
  readonly waits: readonly PreparedWait[]
  /** Metered usage of accounts that this commit adds. */
  readonly usage: readonly UsageSum[]
  /** Amounts that this commit adds to the history. */
  readonly history: readonly HistoryCell[]
  /** Approximate memory that the commit uses while it waits, in characters: the sum of the lengths of its texts. */
  readonly size: number
}

export function prepareCommit(commit: Commit): PreparedCommit {
  const json = jsonOnce()
  const writes = commit.writes.map((write) => {
    const { kind, id, expected } = write
    if (!('put' in write)) return { kind, id, expected, form: undefined }
    const keys = uniqueKeysOf({ kind, value: write.put } as AnyEntity)
    const columns = columnValues(kind, write.put)
    return { kind, id, expected, form: { version: write.put.version, columns, body: json(write.put), keys } }
  })
  const events = commit.events.map(({ lobby, ...event }) => ({ ...event, body: json(lobby) }))
  const jobs = commit.jobs.map(({ payload, ...job }) => ({
    ...job,
    id: toColumn(job.id),
    payload: JSON.stringify(payload),
  }))
  let size = 0
  for (const { form } of writes) size += form?.body.length ?? 0
  for (const { body } of events) size += body.length
  for (const { payload } of jobs) size += payload.length
  return {
    id: commit.id,
    at: commit.at,
    checks: [...commit.checks],
    writes,
    counters: [...commit.counters],
    events,
    jobs,
    signals: signalsOf(commit),
    waits: [...commit.writes.flatMap(waitsOf), ...(commit.figures ?? []).map(figureOf)],
    usage: (commit.usage ?? []).map(inColumns),
    history: (commit.history ?? []).map(historyInColumns),
    size,
  }
}

function waitsOf(write: Write): PreparedWait[] {
  if (write.kind !== 'match' || !('put' in write)) return []
  const queue = toColumn(queueKey(write.put.projectId, write.put.queueId))
  return waitCellsOf(write.put).map((cell) => ({ ...cell, queueKey: queue }))
}

const figureOf = (figure: QueueFigure): PreparedWait => ({ ...figure, queueKey: toColumn(figure.queueKey) })

const inColumns = (sum: UsageSum): UsageSum => ({
  ...sum,
  accountId: toColumn(sum.accountId),
  projectId: toColumn(sum.projectId),
})

const historyInColumns = (cell: HistoryCell): HistoryCell => ({
  ...cell,
  projectId: toColumn(cell.projectId),
  queueId: toColumn(cell.queueId),
  key: toColumn(cell.key),
})

// Converts each object to JSON only once. A lobby is usually written twice, as a row and as a stream event.
function jsonOnce(): (value: object) => string {
  const texts = new Map<object, string>()
  return (value) => {
    const text = texts.get(value) ?? JSON.stringify(value)
    texts.set(value, text)
    return text
  }
}
