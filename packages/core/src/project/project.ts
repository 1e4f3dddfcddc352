import type { MessageType } from '../catalog/message-types'
import type { Instant } from '../shared/time'
import type { PlayerAuth } from './player-auth'

/** A webhook of the project, as far as a commit must know it. */
export interface Listener {
  readonly webhookId: string
  readonly types: readonly MessageType[]
  readonly enabled: boolean
}

/** Owns builds, queues, lobbies and API keys. */
export interface Project {
  readonly id: string
  readonly version: number
  readonly accountId: string
  readonly name: string
  /** Derived from the name, unique in the account. */
  readonly slug: string
  /** How its players prove who they are; absent where nothing was asked for. */
  readonly playerAuth?: PlayerAuth
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Set once deletion is decided; the row then only serves old usage lines and the clean-up. */
  readonly deletedAt: Instant | null
  /**
   * Webhooks that listen, and their types. The commits that change webhooks change this, and every commit with a message checks it, so that no
   * message is without its commit and no commit without its message. Absent in rows of an earlier release.
   */
  readonly listeners?: readonly Listener[]
}

/** The enabled webhooks that want to be told of this; a deleted project tells nobody. */
export const listenersTo = (project: Project, type: MessageType): readonly Listener[] =>
  project.deletedAt !== null
    ? []
    : (project.listeners ?? []).filter(({ enabled, types }) => enabled && types.includes(type))
