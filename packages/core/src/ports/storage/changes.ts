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
  /** May be fewer than the limit, also none, while there are more: what changed again is told in its place, once. */
  readonly changes: readonly Change[]
  /** Opaque; pass it to the next call. Changes may repeat, but none is ever skipped, also none that commits late. */
  readonly cursor: string
  /** Whether more is ready beyond the bounds. */
  readonly more: boolean
  /**
   * Whether the given cursor does not hold any more: of another history (see `TicketChanges`), or older than what is kept. Then
   * everything there is is told from the beginning, and what earlier calls told is to be forgotten.
   */
  readonly startedOver: boolean
}

export interface ChangeLog {
  /**
   * What changed in a project since the cursor: builds, lobbies, matches, queues and servers, each once in its newest version,
   * however often it changed. Without a cursor, everything that the project holds. What changed is kept for CHANGE_RETENTION_MS
   * by the instants of the commits, so that a cursor that is asked with more often always holds. A thing stays in its project for
   * life, and an id is not used again.
   */
  since(projectId: string, cursor: string | undefined, bounds: ChangeBounds): Promise<Changes>
  /** A cursor of what is now, for who wants to know only what changes from here on. */
  now(): Promise<string>
}
