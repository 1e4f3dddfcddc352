import type { UsageSum } from '../../billing/usage-sums'
import type { Lobby } from '../../lobby/lobby'
import type { JsonObject } from '../../shared/json'
import type { Instant } from '../../shared/time'
import type { Entities, EntityKind } from './entities'
import type { HistoryCell } from './history'
import type { QueueFigure } from './match-waits'

export type ExpectedVersion = number | 'absent'

/**
 * Condition of a commit: the entity must still have this version when the commit is applied. The row gets a shared lock and is not changed.
 */
export interface Check {
  readonly kind: EntityKind
  readonly id: string
  readonly expected: ExpectedVersion
}

/** New value of one entity. `put.version` is the expected version plus one, or 1 for an entity that was absent. */
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
  /** Project of the entity; absent for kinds without a project. Readers of the project's changes see the removal. */
  readonly projectId?: string | undefined
}

export type Write = Put | Remove

/**
 * Addition to a counter. The commit is refused when the sum would exceed `atMost`. Counters start at 0 and hold whole numbers. The sum does
 * not depend on the order of the additions.
 */
export interface CounterChange {
  readonly id: string
  readonly add: number
  readonly atMost?: number
}

export const STREAM_EVENT_NAMES = ['lobby_updated', 'lobby_deleted'] as const
export type StreamEventName = (typeof STREAM_EVENT_NAMES)[number]

/**
 * Event of a lobby's stream: the lobby after one commit. A commit has at most one for each lobby. The id of the event is the lobby's
 * version.
 */
export interface StreamEvent {
  readonly lobbyId: string
  readonly version: number
  readonly name: StreamEventName
  readonly at: Instant
  readonly lobby: Lobby
}

/**
 * Job to be run later. A job that has the id of an existing job replaces it, resets the number of its attempts, and ends the claim of the
 * worker that holds it.
 */
export interface JobSpec {
  /** Deterministic id (`expire-lobby:lob_…`), so that scheduling the same follow-up twice gives one job. */
  readonly id: string
  readonly kind: string
  readonly runAt: Instant
  /** Account for which the job runs: workers share their capacity evenly among tenants. Empty for jobs of the service itself. */
  readonly tenant: string
  readonly payload: JsonObject
}

/** All changes of one use case as a value, applied whole or not at all. */
export interface Commit {
  /**
   * Id that the caller chooses before it sends the commit. When the outcome of the commit is unknown, `commits.find(id)` says whether it
   * was applied.
   */
  readonly id: string
  /** Instant of the decision that the commit records. */
  readonly at: Instant
  readonly checks: readonly Check[]
  readonly writes: readonly Write[]
  readonly counters: readonly CounterChange[]
  readonly events: readonly StreamEvent[]
  readonly jobs: readonly JobSpec[]
  /** Amounts to add to the figures of queues, besides the cells that `waitCellsOf` derives from matches. Absent without such amounts. */
  readonly figures?: readonly QueueFigure[]
  /** Amounts to add to the usage sums of accounts. Absent without such amounts. */
  readonly usage?: readonly UsageSum[]
  /** Amounts to add to rows of the history (`addHistory`). No two have the same key. Absent without such amounts. */
  readonly history?: readonly HistoryCell[]
}

/**
 * Reason why a commit was refused. When there are several reasons, the first is reported: checks, then writes, then unique keys, then
 * counters, each in the commit's order. `version`: a write expected another version. `check`: a check expected another version. `unique`:
 * another entity holds the unique key in `id`. `limit`: the counter would exceed its limit.
 */
export interface CommitConflict {
  readonly kind: EntityKind | 'counter' | 'unique-key'
  readonly id: string
  readonly on: 'version' | 'unique' | 'check' | 'limit'
}

export type CommitResult = { readonly ok: true } | { readonly ok: false; readonly conflict: CommitConflict }

/**
 * Thrown by `commit` when the adapter cannot tell whether the commit was applied, for instance when the connection was lost during COMMIT.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
  constructor(
    readonly commitId: string,
    options?: { cause?: unknown },
  ) {
    super(`the outcome of commit ${commitId} is unknown`, options)
  }
}

/** Thrown by any storage call when the database cannot be reached or refuses to work. Nothing was changed. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  /** Whether the disk of the database is full. Reads still work, and writes work again once there is space. */
  readonly isFull: boolean

  constructor(message: string, { isFull = false, ...options }: StorageUnavailableOptions = {}) {
    super(message, options)
    this.isFull = isFull
  }
}

export interface StorageUnavailableOptions extends ErrorOptions {
  readonly isFull?: boolean
}
