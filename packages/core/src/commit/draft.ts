import type { ChangedRow } from '../audit/differences'
import type { AuditedKind } from '../audit/entry'
import type { UsageSum } from '../billing/usage-sums'
import type { Arrival } from '../lobby/arrival'
import type { Lobby } from '../lobby/lobby'
import type { DomainEvent, DomainEventBody } from '../node/domain-events'
import type {
  Check,
  Commit,
  CounterChange,
  Entities,
  EntityKind,
  HistoryCell,
  JobSpec,
  QueueFigure,
  StreamEvent,
  Write,
} from '../ports/storage/index'
import type { Span, TraceParent } from '../ports/tracing'
import { historyCells } from './history-cells'

/** Row before its replacement: the whole row for the kinds that the audit log shows, and otherwise at least its id and version. */
type Before<K extends EntityKind> = K extends AuditedKind
  ? Entities[K]
  : { readonly id: string; readonly version: number }

/**
 * Commit under construction: the changes of one use case, and the events to emit after the commit. The draft knows no rules about its rows.
 * The functions in `rows/` translate the events of an aggregate into rows, and `follow-ups.ts` adds jobs.
 */
export class Draft {
  private readonly checks: Check[] = []
  private readonly writes = new Map<string, Write>()
  /** Rows as they were read, by kind and id, for the audit log. */
  private readonly befores = new Map<string, object>()
  private readonly counters: CounterChange[] = []
  private readonly streamEvents: StreamEvent[] = []
  private readonly figures: QueueFigure[] = []
  private readonly sums: UsageSum[] = []
  private readonly cells: HistoryCell[] = []
  /** Jobs by id, because several events of one commit may need the same job. */
  private readonly jobs = new Map<string, JobSpec>()
  readonly told: DomainEvent[] = []
  /** Stays in queues (from entry to exit) that the draft ends, each with the lobby before the change. */
  readonly ended: { readonly lobby: Lobby; readonly arrival: Arrival }[] = []

  /** Spans that are reported after the commit, and only when it succeeded. */
  readonly spans: Span[] = []
  /** Trace context of the call that makes the draft. */
  trace: TraceParent | undefined

  constructor(readonly at: number) {}

  /** Whether the draft contains nothing to commit. */
  get isEmpty(): boolean {
    return this.writes.size === 0 && this.jobs.size === 0 && this.counters.length === 0 && this.sums.length === 0
  }

  /** Adds a check: the commit fails if `entity` has changed since it was read. */
  check(kind: EntityKind, entity: { readonly id: string; readonly version: number }): this {
    this.checks.push({ kind, id: entity.id, expected: entity.version })
    return this
  }

  create<K extends EntityKind>(kind: K, put: Entities[K]): Entities[K] {
    this.write({ kind, id: put.id, expected: 'absent', put } as Write)
    return put
  }

  /** Replaces `before`, the version that was read, by `put`, which must have the next version. */
  replace<K extends EntityKind>(kind: K, before: Before<K>, put: Entities[K]): Entities[K] {
    this.write({ kind, id: before.id, expected: before.version, put } as Write, before)
    return put
  }

  /** Replaces `before` by `next`, and gives `next` the next version. */
  update<K extends EntityKind>(kind: K, before: Entities[K], next: Omit<Entities[K], 'version'>): Entities[K] {
    return this.replace(kind, before as Before<K>, { ...next, version: before.version + 1 } as unknown as Entities[K])
  }

  remove(
    kind: EntityKind,
    before: { readonly id: string; readonly version: number; readonly projectId?: string | null },
  ): this {
    const { id, version, projectId } = before
    this.write({ kind, id, expected: version, remove: true, ...(projectId == null ? {} : { projectId }) }, before)
    return this
  }

  counter(id: string, add: number, atMost?: number): this {
    this.counters.push(atMost === undefined ? { id, add } : { id, add, atMost })
    return this
  }

  /** Adds to the statistics of a queue. */
  figure(figure: QueueFigure): this {
    this.figures.push(figure)
    return this
  }

  /** Adds seconds to the metered usage of an account. */
  usage(...sums: readonly UsageSum[]): this {
    this.sums.push(...sums)
    return this
  }

  /** Adds to rows of the history, besides those that `historyCells` derives from the draft. */
  history(...cells: readonly HistoryCell[]): this {
    this.cells.push(...cells)
    return this
  }

  /** Adds jobs (see `follow-ups.ts`). A job replaces an earlier job with the same id. */
  job(...specs: readonly JobSpec[]): this {
    for (const spec of specs) this.jobs.set(spec.id, spec)
    return this
  }

  /** Adds an event to a lobby's stream. */
  stream(name: StreamEvent['name'], lobby: Lobby): this {
    this.streamEvents.push({ lobbyId: lobby.id, version: lobby.version, name, at: this.at, lobby })
    return this
  }

  /** Records the end of a party's stay in its queue; see `arrivals.ts`. */
  end(lobby: Lobby, arrival: Arrival): this {
    this.ended.push({ lobby, arrival })
    return this
  }

  /** Adds a domain event. The event gets the instant of the draft, even if it already has another instant. */
  tell(event: DomainEventBody): this {
    this.told.push({ ...event, at: this.at } as DomainEvent)
    return this
  }

  /** Sets the trace context of the call. */
  partOf(trace: TraceParent | undefined): this {
    this.trace = trace
    return this
  }

  /** Adds a span for the work of this draft. */
  span(span: Span): this {
    this.spans.push(span)
    return this
  }

  /** Returns the entity with this id in the state that the draft writes; undefined when the draft does not write it. */
  written<K extends EntityKind>(kind: K, id: string): Entities[K] | undefined {
    const write = this.writes.get(`${kind}:${id}`)
    return write !== undefined && 'put' in write ? (write.put as Entities[K]) : undefined
  }

  /** Returns the rows that the draft writes or removes, each before and after the commit. */
  changedRows(): ChangedRow[] {
    return [...this.writes].map(([key, write]) => ({
      kind: write.kind,
      id: write.id,
      before: this.befores.get(key),
      after: 'put' in write ? write.put : undefined,
    }))
  }

  /**
   * Returns a lobby in its state after this draft, even if the draft deletes the lobby. Undefined when the draft has no stream event of the
   * lobby.
   */
  streamed(lobbyId: string): Lobby | undefined {
    return this.streamEvents.find((event) => event.lobbyId === lobbyId)?.lobby
  }

  /** Whether the draft writes or checks this row, so that another change of the row is a conflict. */
  expects(kind: string, id: string): boolean {
    return this.writes.has(`${kind}:${id}`) || this.checks.some((check) => check.kind === kind && check.id === id)
  }

  /** Returns one commit with the changes of this draft and of another draft. The other draft may have only checks, writes and jobs. */
  toCommitWith(id: string, other: Draft | undefined): Commit {
    const own = this.toCommit(id)
    if (other === undefined) return own
    const { checks, writes, jobs } = other.toCommit(id)
    return {
      ...own,
      checks: [...own.checks, ...checks.filter((check) => !this.expects(check.kind, check.id))],
      writes: [...own.writes, ...writes],
      jobs: [...own.jobs, ...jobs],
    }
  }

  toCommit(id: string): Commit {
    const history = historyCells(this.at, this.cells, this.writes.values(), this.figures)
    return {
      id,
      at: this.at,
      checks: this.checks.filter(({ kind, id }) => !this.writes.has(`${kind}:${id}`)),
      writes: [...this.writes.values()],
      counters: this.counters,
      events: this.streamEvents,
      jobs: [...this.jobs.values()],
      ...(this.figures.length > 0 ? { figures: this.figures } : {}),
      ...(this.sums.length > 0 ? { usage: this.sums } : {}),
      ...(history.length > 0 ? { history } : {}),
    }
  }

  private write(write: Write, before?: object): void {
    const key = `${write.kind}:${write.id}`
    if (this.writes.has(key)) throw new Error(`${key} is written twice in one commit`)
    this.writes.set(key, write)
    if (before !== undefined) this.befores.set(key, before)
  }
}
