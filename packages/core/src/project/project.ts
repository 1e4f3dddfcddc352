import type { MessageType } from '../catalog/message-types'
import type { Instant } from '../shared/time'
import type { Consumer } from './consumer'
import type { PlayerAuth } from './player-auth'
import type { SecretEntry } from './secret'

/** The part of a webhook that commits need. It is stored in the project's row. */
export interface Listener {
  /** Id of the webhook. */
  readonly webhookId: string
  /** Types of messages that the webhook gets. */
  readonly types: readonly MessageType[]
  /** Whether the webhook gets messages. */
  readonly enabled: boolean
}

/** Project: the owner of builds, queues, lobbies and API keys. */
export interface Project {
  /** Id of the project: `prj_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Account that owns the project: `acc_` and a ULID. */
  readonly accountId: string
  /** Display name, 1 to 64 characters. */
  readonly name: string
  /** Short form of the project's name, unique in the account. */
  readonly slug: string
  /** How the players of the project prove their identity; absent without such a setting (`NO_PLAYER_AUTH`). */
  readonly playerAuth?: PlayerAuth
  /** Time of creation. */
  readonly createdAt: Instant
  /** Time of the last change. */
  readonly updatedAt: Instant
  /** Instant of the deletion, else null. The row of a deleted project is kept for old usage figures and for the clean-up. */
  readonly deletedAt: Instant | null
  /**
   * Webhooks of the project with the message types that they subscribe to. A commit that changes a webhook changes this list, and every
   * commit with a message checks the project's version. Each message thus goes to exactly the webhooks that subscribe at the time of its
   * commit. Absent in rows of an earlier release.
   */
  readonly listeners?: readonly Listener[]
  /**
   * Number of stored bans (`Ban`) of the project; absent without bans. A commit that changes a ban changes this row too, and every commit
   * that lets a player in checks the version of this row. While the number is 0, no ban is looked up.
   */
  readonly bans?: number
  /** Consumers of the project (`consume`); absent without consumers. Commits with an event of a match check the version of this row. */
  readonly consumers?: readonly Consumer[]
  /** Names and times of the project's secrets, by name; absent without secrets. */
  readonly secrets?: readonly SecretEntry[]
  /** Budget of the project for each calendar month in UTC, in whole micro-USD; absent without a budget. It stops no servers. */
  readonly budgetMicroUsd?: number
}

/** Consumers of a project; none for a deleted project. */
export const consumersOf = ({ deletedAt, consumers }: Project): readonly Consumer[] =>
  deletedAt === null ? (consumers ?? []) : []

/** Returns the consumer of this name; undefined when the project has none. */
export const consumerOf = (project: Project, name: string): Consumer | undefined =>
  consumersOf(project).find((consumer) => consumer.name === name)

/** Number of stored bans of a project, with those that have ended and are still listed. */
export const bansIn = ({ bans }: Project): number => bans ?? 0

/** Returns the enabled webhooks that subscribe to a message type; none for a deleted project. */
export const listenersTo = (project: Project, type: MessageType): readonly Listener[] =>
  project.deletedAt !== null
    ? []
    : (project.listeners ?? []).filter(({ enabled, types }) => enabled && types.includes(type))
