import type { Instant } from '@matchyard/core'
import { utf8Length } from '@matchyard/core/domain'
import type {
  ChangeKind,
  Entities,
  EntityKind,
  HistoryCell,
  LogEntry,
  QueueWaiting,
  SignalListener,
  StreamEventName,
  UsageSum,
  WaitCell,
} from '@matchyard/core/ports'
import { frozen } from '@matchyard/core/ports'
import { JobTable } from './job-table'

/**
 * Stored entity with its value as JSON. The JSON is parsed on the first read, because most versions of a row are never
 * read.
 */
export class StoredEntity<K extends EntityKind = EntityKind> {
  #value: Entities[K] | undefined

  constructor(
    readonly text: string,
    readonly version: number,
    readonly uniqueKeys: readonly string[],
  ) {}

  /** The parsed value. It is frozen, and all readers get the same object. */
  get value(): Entities[K] {
    this.#value ??= frozen(JSON.parse(this.text) as Entities[K])
    return this.#value
  }
}

export interface StoredEvent extends LogEntry {
  readonly name: StreamEventName
  /** The lobby of the event, as JSON. */
  readonly text: string
}

/** The last change of a ticket; `removedAt` makes it a tombstone. */
export interface TicketMark {
  readonly sequence: number
  readonly removedAt: Instant | undefined
}

/** The last change of an entity of a project; `removedAt` makes it a tombstone. */
export interface ChangeMark {
  readonly sequence: number
  readonly kind: ChangeKind
  readonly id: string
  readonly version: number
  readonly removedAt: Instant | undefined
}

/** Properties of an idempotency record by which the bounds of its owner and its group are checked. */
export interface KeptRecord {
  readonly id: string
  readonly createdAt: Instant
  readonly bytes: number
}

/** Returns the sum of the counters in ranges of ids. */
export function sumCounters(
  { counters }: MemoryData,
  ranges: readonly { readonly from: string; readonly below: string }[],
): number {
  let sum = 0
  for (const [id, value] of counters) {
    if (ranges.some(({ from, below }) => id >= from && id < below)) sum += value
  }
  return sum
}

/** All data of a memory store. Several handles may share the data, as nodes share a database. */
export interface MemoryData {
  /** Kind → id → entity. */
  readonly entities: Map<EntityKind, Map<string, StoredEntity>>
  /** Unique key → the entity that holds the key. */
  readonly uniqueKeys: Map<
    string,
    {
      /** Kind of the entity. */
      readonly kind: EntityKind
      /** Id of the entity. */
      readonly id: string
    }
  >
  /** Id of a counter → its value. */
  readonly counters: Map<string, number>
  /** Lobby → its stream events, the oldest first. */
  readonly events: Map<string, StoredEvent[]>
  /** Jobs that are not done. */
  readonly jobs: JobTable
  /**
   * Queue key → ticket → the last change of the ticket. A changed ticket moves to the end, so the map is in order of
   * changes.
   */
  readonly ticketMarks: Map<string, Map<string, TicketMark>>
  /** Project → kind and id of an entity → its last change, in order of changes. */
  readonly changeMarks: Map<string, Map<string, ChangeMark>>
  /** Project → the number of its lobbies; a project without lobbies has no entry. */
  readonly lobbyCounts: Map<string, number>
  /** Queue key → the parties that wait in the queue; a queue without waiting parties has no entry. */
  readonly waiting: Map<string, QueueWaiting>
  /** Queue key → players, bucket and time slot → sums of the queue's figures (`WaitCell`). */
  readonly matchWaits: Map<string, Map<string, WaitCell>>
  /** Account → start of the period, project and tier → metered seconds. */
  readonly usage: Map<string, Map<string, UsageSum>>
  /** Step and slot → key of the row → row of the history. */
  readonly historyRows: Map<string, Map<string, HistoryCell>>
  /** Owner or group → its idempotency records, in the order in which they were added; see `kept-records.ts`. */
  readonly recordParts: Map<string, KeptRecord[]>
  /** Name of a lease → its holder, and the time at which the lease expires. */
  readonly leases: Map<
    string,
    {
      /** Id of the node that holds the lease. */
      readonly holder: string
      /** Time at which the lease expires. */
      readonly until: Instant
    }
  >
  /** Scope → member → when the member was last seen. */
  readonly presence: Map<string, Map<string, Instant>>
  /** Commit id → instant of the commit. */
  readonly commits: Map<string, Instant>
  /** Functions that get the signals. */
  readonly listeners: Set<SignalListener>
  /** Newest instant of a commit; 0 without commits. */
  newestInstant: Instant
  /** Number of the newest pruned tombstone. A reader with an older cursor may have missed it. */
  forgottenChanges: number
  /** The number of the newest change or job claim. */
  sequence: number
  /**
   * Identifies the history to which the numbers belong. Each store has another value, and a store gets a new one when
   * it goes back to a copy.
   */
  history: number
}

// A counter of the process, so that a cursor of one store is never valid in another.
let histories = 0

/** Returns an empty store. All handles that share the store get it by `memoryStorage({ data })`. */
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
  historyRows: new Map(),
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

/** Returns the inner map of a key, and creates it if there is none. */
export function inner<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let found = map.get(key)
  if (found === undefined) {
    found = new Map()
    map.set(key, found)
  }
  return found
}

export const stored = <K extends EntityKind>(data: MemoryData, kind: K, id: string): StoredEntity<K> | undefined =>
  // The map of kind K holds only entities of kind K: `put` in apply-commit.ts is the only code that adds to it.
  data.entities.get(kind)?.get(id) as StoredEntity<K> | undefined

/** Returns how many of the first values stay within a number of bytes of JSON; at least one. */
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
