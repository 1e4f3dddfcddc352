import type { Instant } from '@matchyard/core'
import { utf8Length } from '@matchyard/core/domain'
import type {
  ChangeKind,
  Entities,
  EntityKind,
  LogEntry,
  QueueWaiting,
  SignalListener,
  StreamEventName,
  UsageSum,
  WaitCell,
} from '@matchyard/core/ports'
import { frozen } from '@matchyard/core/ports'
import { JobTable } from './job-table'

/** Stored value as JSON: most versions of a row are never read. */
export class StoredEntity<K extends EntityKind = EntityKind> {
  #value: Entities[K] | undefined

  constructor(
    readonly text: string,
    readonly version: number,
    readonly uniqueKeys: readonly string[],
  ) {}

  /** One value that nobody can change, given to all who read it. */
  get value(): Entities[K] {
    this.#value ??= frozen(JSON.parse(this.text) as Entities[K])
    return this.#value
  }
}

export interface StoredEvent extends LogEntry {
  readonly name: StreamEventName
  /** The lobby, as JSON. */
  readonly text: string
}

/** The last change of a ticket; `removedAt` makes it a tombstone. */
export interface TicketMark {
  readonly sequence: number
  readonly removedAt: Instant | undefined
}

/** The last change of a thing of a project; `removedAt` makes it a tombstone. */
export interface ChangeMark {
  readonly sequence: number
  readonly kind: ChangeKind
  readonly id: string
  readonly version: number
  readonly removedAt: Instant | undefined
}

/** Properties of an idempotency record that its bounds use. */
export interface KeptRecord {
  readonly id: string
  readonly createdAt: Instant
  readonly bytes: number
}

/** Everything one memory store holds. Several handles may share it, as nodes share a database. */
export interface MemoryData {
  readonly entities: Map<EntityKind, Map<string, StoredEntity>>
  /** Unique key → its holder. */
  readonly uniqueKeys: Map<string, { readonly kind: EntityKind; readonly id: string }>
  readonly counters: Map<string, number>
  /** Lobby → its stream, oldest first. */
  readonly events: Map<string, StoredEvent[]>
  readonly jobs: JobTable
  /** Queue key → ticket → its last change; a changed ticket moves to the end, so the order is that of change. */
  readonly ticketMarks: Map<string, Map<string, TicketMark>>
  /** Project → kind and id → its last change, in order of change. */
  readonly changeMarks: Map<string, Map<string, ChangeMark>>
  /** Project → the number of its lobbies; a project without lobbies has no entry. */
  readonly lobbyCounts: Map<string, number>
  /** Queue key → who waits there; none where nobody does. */
  readonly waiting: Map<string, QueueWaiting>
  /** Queue key → players, bucket and slot → what the queue's matches add up to. */
  readonly matchWaits: Map<string, Map<string, WaitCell>>
  /** Account → where it begins, project and tier → what is metered. */
  readonly usage: Map<string, Map<string, UsageSum>>
  /** Part of an owner or a group → its idempotency records, in the order in which they came; see `kept-records.ts`. */
  readonly recordParts: Map<string, KeptRecord[]>
  readonly leases: Map<string, { readonly holder: string; readonly until: Instant }>
  /** Scope → member → last seen. */
  readonly presence: Map<string, Map<string, Instant>>
  /** Commit id → its instant. */
  readonly commits: Map<string, Instant>
  readonly listeners: Set<SignalListener>
  newestInstant: Instant
  /** The number of the newest tombstone that was forgotten: older cursors may have missed it. */
  forgottenChanges: number
  /** Numbers changes and job claims. */
  sequence: number
  /** Which past the numbers belong to; another one in every store, and after it went back. */
  history: number
}

// Counted for the process: cursors of one store mean nothing in another one.
let histories = 0

/** A store with nothing in it, to be given to `memoryStorage({ data })` by every handle that shares it. */
export const emptyMemoryData = (): MemoryData => ({
  entities: new Map(),
  uniqueKeys: new Map(),
  counters: new Map(),
  events: new Map(),
  jobs: new JobTable(),
  ticketMarks: new Map(),
  changeMarks: new Map(),
  lobbyCounts: new Map(),
  waiting: new Map(),
  matchWaits: new Map(),
  usage: new Map(),
  recordParts: new Map(),
  leases: new Map(),
  presence: new Map(),
  commits: new Map(),
  listeners: new Set(),
  newestInstant: 0,
  forgottenChanges: 0,
  sequence: 0,
  history: ++histories,
})

/** The map of a map, made where it is missing. */
export function inner<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let found = map.get(key)
  if (found === undefined) {
    found = new Map()
    map.set(key, found)
  }
  return found
}

export const stored = <K extends EntityKind>(data: MemoryData, kind: K, id: string): StoredEntity<K> | undefined =>
  // A map of kind K holds entities of kind K only: `put` in apply-commit.ts is the one place that fills it.
  data.entities.get(kind)?.get(id) as StoredEntity<K> | undefined

/** Returns the number of values that stay within so many bytes of JSON, at least one. */
export function countWithin(
  data: MemoryData,
  kind: EntityKind,
  values: readonly { readonly id: string }[],
  maxBytes: number | undefined,
): number {
  if (maxBytes === undefined) return values.length
  let bytes = 0
  const past = values.findIndex(({ id }, at) => {
    bytes += utf8Length(stored(data, kind, id)?.text ?? '')
    return at > 0 && bytes > maxBytes
  })
  return past === -1 ? values.length : past
}

export const storedValues = <K extends EntityKind>(data: MemoryData, kind: K): Entities[K][] =>
  [...(data.entities.get(kind)?.values() ?? [])].map((entity) => entity.value as Entities[K])
