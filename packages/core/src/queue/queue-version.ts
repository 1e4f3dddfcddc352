import type { Actor } from '../access/actor'
import { type Changed, changesBetween } from '../shared/changed'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import { QUEUE_DEFAULTS, type Queue, type QueueConfig } from './queue'

/** Number of versions of one queue's settings that are kept, the newest first. */
export const QUEUE_VERSIONS_KEPT = 100

/** Settings of a queue after one commit, with the version that the queue had then. */
export interface QueueVersion {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly queueId: string
  /** Version of the queue with these settings. */
  readonly number: number
  readonly at: Instant
  /** Author of the change; null when the author is unknown, because the queue was created before histories were stored. */
  readonly by: Actor | null
  readonly settings: QueueConfig
}

/** One entry of a queue's history. */
export interface QueueHistoryEntry {
  /** Version of the queue; `queues.restore` takes it. */
  readonly version: number
  /** Time of the change. */
  readonly at: Instant
  /** Author of the change; null for the state before the history began. */
  readonly by: Actor | null
  /** Changed settings, by paths like `matchmaking.rules[0].maxDifference`; empty for the oldest kept version. */
  readonly changes: readonly Changed[]
  /** All settings after the change. */
  readonly settings: QueueConfig
  /** Settings before the change; null for the oldest kept version. */
  readonly before: QueueConfig | null
}

/**
 * Returns the id of a queue's version. The id contains the queue's creation time, because a queue that is deleted and created again has a
 * new history.
 */
export const queueVersionId = ({ id, createdAt }: Pick<Queue, 'id' | 'createdAt'>, number: number): string =>
  `${id}@${createdAt}/${number}`

const SETTINGS = [...Object.keys(QUEUE_DEFAULTS), 'name', 'inviteCodeConfig'] as const

/** Returns the settings of a queue that its developer chooses. */
export const settingsOf = (queue: Queue): QueueConfig =>
  Object.fromEntries(SETTINGS.map((name) => [name, queue[name as keyof QueueConfig] ?? null])) as unknown as QueueConfig

export const queueVersion = (queue: Queue, by: Actor | null): QueueVersion => ({
  id: queueVersionId(queue, queue.version),
  version: 1,
  projectId: queue.projectId,
  queueId: queue.queueId,
  number: queue.version,
  at: queue.updatedAt,
  by,
  settings: settingsOf(queue),
})

/** Returns the queue with the settings of an earlier version. */
export const withSettingsOf = (queue: Queue, { settings }: QueueVersion): Queue => ({ ...queue, ...settings })

/** Settings whose changes are shown as one change, because they are free-form objects. */
const WHOLE = ['serverSettings.customData', 'serverSettings.environment']

/** Returns the entries of a history, newest first. Each entry has the changes from the previous version. */
export const historyOf = (versions: readonly QueueVersion[]): QueueHistoryEntry[] =>
  versions.map(({ number, at, by, settings }, index) => {
    const before = versions[index + 1]?.settings ?? null
    const changes = before === null ? [] : changesBetween(asJson(before), asJson(settings), WHOLE)
    return { version: number, at, by, changes, settings, before }
  })

const asJson = (settings: QueueConfig): JsonObject => JSON.parse(JSON.stringify(settings)) as JsonObject
