import type { UsageSum } from '../../billing/usage-sums'
import type { Lobby } from '../../lobby/lobby'
import type { JsonObject } from '../../shared/json'
import type { Instant } from '../../shared/time'
import type { Entities, EntityKind } from './entities'
import type { QueueFigure } from './match-waits'

export type ExpectedVersion = number | 'absent'

/** Must still be so when the commit is applied; locked shared, nothing is changed. */
export interface Check {
  readonly kind: EntityKind
  readonly id: string
  readonly expected: ExpectedVersion
}

/** A new form of one entity: `put.version` is the expected version plus one, or 1 where it was absent. */
export type Put = {
  [K in EntityKind]: {
    readonly kind: K
    readonly id: string
    readonly expected: ExpectedVersion
    readonly put: Entities[K]
  }
}[EntityKind]

export interface Remove {
  readonly kind: EntityKind
  readonly id: string
  readonly expected: number
  readonly remove: true
  /** The project of an entity that has one: readers of its changes are told that something is gone. */
  readonly projectId?: string | undefined
}

export type Write = Put | Remove

/** Adds to a counter; refused when the sum would pass `atMost`. Counters commute, start at 0 and hold whole numbers. */
export interface CounterChange {
  readonly id: string
  readonly add: number
  readonly atMost?: number
}

export const STREAM_EVENT_NAMES = ['lobby_updated', 'lobby_deleted'] as const
export type StreamEventName = (typeof STREAM_EVENT_NAMES)[number]

/** Event of a lobby's stream, one for each lobby and commit: the lobby after that commit. The id is the lobby's version. */
export interface StreamEvent {
  readonly lobbyId: string
  readonly version: number
  readonly name: StreamEventName
  readonly at: Instant
  readonly lobby: Lobby
}

/** Work to be done later. Putting a job whose id exists replaces the job, resets its attempts, and ends the claim of its holder. */
export interface JobSpec {
  /** Deterministic (`expire-lobby:lob_…`), so that follow-ups of one thing never pile up. */
  readonly id: string
  readonly kind: string
  readonly runAt: Instant
  /** For whom it is done, the account: workers share their hands evenly among tenants. Empty: the service's own. */
  readonly tenant: string
  readonly payload: JsonObject
}

/** Everything one use case changes, as a value: it is applied whole or not at all. */
export interface Commit {
  /** Known to the caller before it is sent: `commits.find(id)` resolves a lost answer. */
  readonly id: string
  /** The instant of the decision. */
  readonly at: Instant
  readonly checks: readonly Check[]
  readonly writes: readonly Write[]
  readonly counters: readonly CounterChange[]
  readonly events: readonly StreamEvent[]
  readonly jobs: readonly JobSpec[]
  /** Added to the figures of queues, as `waitCellsOf` of its matches is; absent: nothing. */
  readonly figures?: readonly QueueFigure[]
  /** Amounts to add to the usage sums of accounts; absent: none. */
  readonly usage?: readonly UsageSum[]
}

/**
 * Reason why a commit was refused. Of several reasons the first is named: checks, then writes, then unique keys, then counters, each in the
 * commit's order. `version`: of a write; `check`: of a check; `unique`: a unique key, `id` is the key; `limit`: a counter.
 */
export interface CommitConflict {
  readonly kind: EntityKind | 'counter' | 'unique-key'
  readonly id: string
  readonly on: 'version' | 'unique' | 'check' | 'limit'
}

export type CommitResult = { readonly ok: true } | { readonly ok: false; readonly conflict: CommitConflict }

/** Thrown by `commit` when the adapter cannot tell whether it was applied (connection lost in COMMIT). */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
  constructor(
    readonly commitId: string,
    options?: { cause?: unknown },
  ) {
    super(`the outcome of commit ${commitId} is unknown`, options)
  }
}

/** Thrown by any storage call when the database cannot be reached or refuses to work; nothing was changed. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  /** Whether its disk is full: reads go on, and writes as soon as there is room. */
  readonly isFull: boolean

  constructor(message: string, { isFull = false, ...options }: StorageUnavailableOptions = {}) {
    super(message, options)
    this.isFull = isFull
  }
}

export interface StorageUnavailableOptions extends ErrorOptions {
  readonly isFull?: boolean
}
