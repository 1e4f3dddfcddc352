import { HOUR_MS } from '../../shared/time'
import type { Entities, EntityKind } from './entities'

/** Kinds of entities whose changes are logged, in one log for all kinds. */
export const CHANGE_KINDS = ['build', 'lobby', 'match', 'queue', 'server'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export const isChangeKind = (kind: EntityKind): kind is ChangeKind =>
  (CHANGE_KINDS as readonly EntityKind[]).includes(kind)

/** Milliseconds for which changes are kept. A read with an older cursor starts over with the whole content. */
export const CHANGE_RETENTION_MS = HOUR_MS

/** Bounds of one page of changes. */
export interface ChangeBounds {
  readonly limit: number
  /** Maximum bytes of JSON in UTF-8 of all values together. One value is always returned, even when it is larger. */
  readonly maxBytes: number
}

/**
 * An entity that changed, with its present value. A removed entity is a tombstone: its `value` is undefined, and its `version` follows its
 * last one.
 */
export type Change = {
  [K in ChangeKind]: {
    readonly kind: K
    readonly id: string
    readonly version: number
    readonly value: Entities[K] | undefined
  }
}[ChangeKind]

export interface Changes {
  /**
   * Changes of this page. The page may hold fewer changes than the limit, or none, while more are ready. The reason: an entity that changed
   * again is reported once, at its newest change.
   */
  readonly changes: readonly Change[]
  /** Opaque cursor for the next call. Changes may repeat, but none is skipped, not even one that commits late. */
  readonly cursor: string
  /** Whether more changes are ready beyond the bounds of this page. */
  readonly more: boolean
  /**
   * Whether the given cursor was invalid, because it is of another history (see `TicketChanges`) or older than the kept changes. When true,
   * this answer starts over with the whole content, and the reader must discard earlier answers.
   */
  readonly startedOver: boolean
}

export interface ChangeLog {
  /**
   * Returns the changes of a project since the cursor: builds, lobbies, matches, queues and servers, each once in its newest version,
   * however often it changed. Without a cursor the answer holds everything in the project. Changes are kept for CHANGE_RETENTION_MS after
   * their commit, so a cursor that is used more often stays valid. An entity never moves to another project, and an id is not reused.
   */
  since(projectId: string, cursor: string | undefined, bounds: ChangeBounds): Promise<Changes>
  /** Returns a cursor at the present state, for readers that need only later changes. */
  now(): Promise<string>
}
