import type { MessageType } from '../catalog/message-types'
import type { Instant } from '../shared/time'
import type { PlayerAuth } from './player-auth'

/** The part of a webhook that commits need, stored in the project's row. */
export interface Listener {
  readonly webhookId: string
  readonly types: readonly MessageType[]
  readonly enabled: boolean
}

/** Project: the owner of builds, queues, lobbies and API keys. */
export interface Project {
  readonly id: string
  readonly version: number
  readonly accountId: string
  readonly name: string
  /** Derived from the name, unique in the account. */
  readonly slug: string
  /** How its players prove their identity; absent without a setting (`NO_PLAYER_AUTH`). */
  readonly playerAuth?: PlayerAuth
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Instant of the deletion, else null. The row of a deleted project only serves old usage figures and the clean-up. */
  readonly deletedAt: Instant | null
  /**
   * Webhooks of the project with their types. A commit that changes a webhook changes this list, and every commit with a message checks the
   * project's version. Each message thus goes to exactly the webhooks of its time. Absent in rows of an earlier release.
   */
  readonly listeners?: readonly Listener[]
}

/** Returns the enabled webhooks that subscribe to a message type; none for a deleted project. */
export const listenersTo = (project: Project, type: MessageType): readonly Listener[] =>
  project.deletedAt !== null
    ? []
    : (project.listeners ?? []).filter(({ enabled, types }) => enabled && types.includes(type))
