import { HOUR_MS } from '../../shared/time'
import type { Entities, EntityKind } from './entities'

/** The kinds whose changes are told, in one order for all. */
export const CHANGE_KINDS = ['build', 'lobby', 'match', 'queue', 'server'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export const isChangeKind = (kind: EntityKind): kind is ChangeKind =>
  (CHANGE_KINDS as readonly EntityKind[]).includes(kind)

/** For how long what changed is kept, in milliseconds: an older cursor starts over. */
export const CHANGE_RETENTION_MS = HOUR_MS

/** How far one page goes, at most. */
export interface ChangeBounds {
  readonly limit: number
  /** Bytes of JSON in UTF-8 of the values together; one value is always told, however large. */
  readonly maxBytes: number
}

/** Something that changed, as it is now. Removed, it is a tombstone: no value, and the version after its last one. */
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
   * Changes of this page. There may be fewer than the limit, also none, while more are ready: an entity that changed again is reported once, at
   * its newest change.
   */
  readonly changes: readonly Change[]
  /** Opaque; pass it to the next call. Changes may repeat, but none is ever skipped, also none that commits late. */
  readonly cursor: string
  /** Whether more is ready beyond the bounds. */
  readonly more: boolean
  /**
   * Whether the given cursor does not hold any more: of another history (see `TicketChanges`), or is older than the kept changes. Then the
   * answer starts over with the whole content, and the reader must discard the earlier answers.
   */
  readonly startedOver: boolean
}

export interface ChangeLog {
  /**
   * Returns the changes of a project since the cursor: builds, lobbies, matches, queues and servers, each once in its newest version, however
   * often it changed. Without a cursor the answer holds everything in the project. Changes are kept for CHANGE_RETENTION_MS after their commit,
   * so a cursor that is used more often than that stays valid. An entity never moves to another project, and an id is not reused.
   */
  since(projectId: string, cursor: string | undefined, bounds: ChangeBounds): Promise<Changes>
  /** Returns a cursor at the present state, for readers that want only later changes. */
  now(): Promise<string>
}
