import type { Actor } from '../access/actor'
import type { Instant } from '../shared/time'

/**
 * Ban of a player from a project, or from some of its queues. The id of the row is a hash of the player's id, so the ban stays in force
 * after the player's data are erased.
 */
export interface Ban {
  /** Id of the row: a hash of the project's id and the player's id. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the ban. */
  readonly projectId: string
  /** The banned player; null after the player's data were erased. */
  readonly playerId: string | null
  /** Reason that the player may read. */
  readonly reason: string | null
  /** Note for the project's developers and backend. */
  readonly note: string | null
  /** Instant at which the ban ends; null for a ban without an end. */
  readonly until: Instant | null
  /** Queues to which the ban applies; null when it applies to the whole project. */
  readonly queues: readonly string[] | null
  /** Time at which the ban began. */
  readonly createdAt: Instant
  /** Time at which the ban was last replaced. */
  readonly updatedAt: Instant
  /** Author of the ban. */
  readonly createdBy: Actor
}

/** A ban that is in force, and the player whom it keeps out. */
export interface PlayerBan {
  readonly playerId: string
  readonly ban: Ban
}

/** Returns the text whose hash is the id of a player's ban. */
export const banText = (projectId: string, playerId: string): string => JSON.stringify(['ban', projectId, playerId])

/** Whether a ban has not ended. */
export const isInForce = ({ until }: Ban, at: Instant): boolean => until === null || until > at

/** Whether a ban applies to a queue. */
export const appliesTo = ({ queues }: Ban, queueId: string): boolean => queues === null || queues.includes(queueId)

/** Returns the ban after the erasure of the player's data. */
export const withoutIdentity = (ban: Ban): Ban => ({ ...ban, playerId: null, note: null })
