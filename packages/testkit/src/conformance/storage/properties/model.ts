import type { Match } from '@matchyard/core'
import type {
  AnyEntity,
  Commit,
  CommitConflict,
  CommitResult,
  EntityKind,
  ExpectedVersion,
  HistoryCell,
  JobSpec,
  QueueFigure,
  QueueWaiting,
  UsageSum,
  WaitTotal,
} from '@matchyard/core/ports'
import { addedHistory, addedUp, addWaits, isParty, queueKey, uniqueKeysOf, waitCellsOf } from '@matchyard/core/ports'

type Stored = AnyEntity['value']
const nameOf = (kind: EntityKind, id: string) => `${kind} ${id}`

/**
 * The simplest implementation of commits: it computes the state after a commit, checks that state, and keeps or
 * discards it. The model has no indexes, stored counts or groups.
 */
export class StorageModel {
  entities = new Map<string, AnyEntity>()
  counters = new Map<string, number>()
  /** Lobby id → versions of the events in the lobby's stream. */
  events = new Map<string, number[]>()
  jobs = new Map<string, JobSpec>()
  /** Every match in the form in which it was first stored. */
  readonly matches: Match[] = []
  readonly figures: QueueFigure[] = []
  readonly usage: UsageSum[] = []
  readonly history: HistoryCell[] = []
  readonly applied = new Set<string>()
  newestInstant = 0

  get(kind: EntityKind, id: string): Stored | undefined {
    return this.entities.get(nameOf(kind, id))?.value
  }

  commit(commit: Commit): CommitResult {
    if (this.applied.has(commit.id)) return { ok: true }
    const conflict = this.conflict(commit)
    if (conflict !== undefined) return { ok: false, conflict }
    this.entities = this.after(commit)
    for (const write of commit.writes) {
      if (write.kind === 'match' && 'put' in write) this.matches.push(write.put)
    }
    this.figures.push(...(commit.figures ?? []))
    this.usage.push(...(commit.usage ?? []))
    this.history.push(...(commit.history ?? []))
    for (const { id, add } of commit.counters) this.counters.set(id, (this.counters.get(id) ?? 0) + add)
    for (const { lobbyId, version } of commit.events) {
      this.events.set(lobbyId, [...(this.events.get(lobbyId) ?? []), version])
    }
    for (const job of commit.jobs) this.jobs.set(job.id, job)
    this.applied.add(commit.id)
    this.newestInstant = Math.max(this.newestInstant, commit.at)
    return { ok: true }
  }

  /** Returns the waiting parties and players of each queue, counted from the model's state. */
  waiting(): QueueWaiting[] {
    const tickets = [...this.entities.values()].flatMap((entity) =>
      entity.kind === 'ticket' && isParty(entity.value) ? [entity.value] : [],
    )
    return [...new Set(tickets.map(({ queueKey }) => queueKey))].sort().map((queueKey) => {
      const here = tickets.filter((ticket) => ticket.queueKey === queueKey)
      return { queueKey, parties: here.length, players: here.reduce((sum, { players }) => sum + players.length, 0) }
    })
  }

  /** Returns the waiting times of a queue's matches, counted from the model's state. */
  waits(key: string, since: number): WaitTotal[] {
    const cells = this.matches
      .filter(({ projectId, queueId }) => queueKey(projectId, queueId) === key)
      .flatMap((match) => waitCellsOf(match))
      .concat(this.figures.filter(({ queueKey }) => queueKey === key).map(({ queueKey: _, ...cell }) => cell))
      .filter(({ slot }) => slot >= since)
    const totals = new Map<string, WaitTotal>()
    for (const { slot: _, ...cell } of cells) {
      const name = `${cell.players} ${cell.bucket}`
      totals.set(name, addWaits(totals.get(name), cell))
    }
    return [...totals.values()].sort((a, b) => a.players - b.players || a.bucket - b.bucket)
  }

  /** Returns the usage of an account, added up from the model's state. */
  metered(account: string): UsageSum[] {
    return addedUp(this.usage.filter(({ accountId }) => accountId === account))
  }

  /** Returns the rows of the history, added up from the model's state. */
  historyRows(): HistoryCell[] {
    return addedHistory(this.history)
  }

  private after(commit: Commit): Map<string, AnyEntity> {
    const after = new Map(this.entities)
    for (const write of commit.writes) {
      const name = nameOf(write.kind, write.id)
      if ('put' in write) after.set(name, { kind: write.kind, value: write.put } as AnyEntity)
      else after.delete(name)
    }
    return after
  }

  private conflict(commit: Commit): CommitConflict | undefined {
    const differs = (kind: EntityKind, id: string, expected: ExpectedVersion) =>
      (this.get(kind, id)?.version ?? 'absent') !== expected
    for (const { kind, id, expected } of commit.checks)
      if (differs(kind, id, expected)) return { kind, id, on: 'check' }
    for (const { kind, id, expected } of commit.writes)
      if (differs(kind, id, expected)) return { kind, id, on: 'version' }
    return this.takenKey(commit) ?? this.passedLimit(commit)
  }

  /**
   * Returns a conflict for the first unique key of a write that an entity which the commit does not write, or an
   * earlier write of the commit, has; undefined when there is no such key.
   */
  private takenKey(commit: Commit): CommitConflict | undefined {
    const untouched = new Map(this.entities)
    for (const { kind, id } of commit.writes) untouched.delete(nameOf(kind, id))
    const held = new Set([...untouched.values()].flatMap(uniqueKeysOf))
    for (const write of commit.writes) {
      const keys = 'put' in write ? uniqueKeysOf({ kind: write.kind, value: write.put } as AnyEntity) : []
      for (const key of keys) if (held.has(key)) return { kind: 'unique-key', id: key, on: 'unique' }
      for (const key of keys) held.add(key)
    }
    return undefined
  }

  private passedLimit(commit: Commit): CommitConflict | undefined {
    const sums = new Map(this.counters)
    for (const { id, add, atMost = Number.POSITIVE_INFINITY } of commit.counters) {
      sums.set(id, (sums.get(id) ?? 0) + add)
      if ((sums.get(id) ?? 0) > atMost) return { kind: 'counter', id, on: 'limit' }
    }
    return undefined
  }
}
