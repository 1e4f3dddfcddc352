import type { Instant } from '../shared/time'

/** Owns builds, queues, lobbies and API keys. */
export interface Project {
  readonly id: string
  readonly version: number
  readonly accountId: string
  readonly name: string
  /** Derived from the name, unique in the account. */
  readonly slug: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Set once deletion is decided; the row then only serves old usage lines and the clean-up. */
  readonly deletedAt: Instant | null
}
