import type { Instant } from '../shared/time'
import type { InviteCodeConfig } from './invite-code'
import type { QueueMatchmaking } from './matchmaking'
import type { ServerSettings } from './server-settings'

/** `promote`: host passes to the longest-present remaining player. `delete`: the lobby is destroyed. */
export const HOST_LEAVE_BEHAVIORS = ['promote', 'delete'] as const
export type HostLeaveBehavior = (typeof HOST_LEAVE_BEHAVIORS)[number]

/** Settings of a queue that its developer decides. */
export interface QueueConfig {
  readonly name: string
  readonly enabled: boolean
  /** Players per lobby. */
  readonly maxPlayers: number
  readonly timeoutSeconds: number
  readonly heartbeat: boolean
  readonly heartbeatTimeoutSeconds: number
  readonly hostLeaveBehavior: HostLeaveBehavior
  readonly lobbyTtlSeconds: number
  /** How long a match without a server of the service may run; null for ever. Matches on servers end with them. Default: a day. */
  readonly matchTtlSeconds: number | null
  readonly inviteCodeConfig: InviteCodeConfig
  readonly serverSettings: ServerSettings | null
  readonly matchmaking: QueueMatchmaking | null
  /** Fields of player states that clients may not write: they come from a player token or from the project's backend. Default: none. */
  readonly trustedFields?: readonly string[] | null
}

/** A matchmaking configuration, chosen by the developer; `id` is `{projectId}/{queueId}`. */
export interface Queue extends QueueConfig {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly queueId: string
  /** When its timeouts became stricter: silence before counts for nobody. Absent where they never did. */
  readonly watchedSince?: Instant
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** Settings of a new or changed queue; an absent one takes its default, or is kept (docs/http-api.md §5). */
export type QueueSettings = {
  readonly [Setting in Exclude<keyof QueueConfig, 'inviteCodeConfig' | 'matchTtlSeconds'>]?:
    | NonNullable<QueueConfig[Setting]>
    | undefined
} & {
  readonly inviteCodeConfig?: Partial<InviteCodeConfig> | undefined
  readonly matchTtlSeconds?: number | null | undefined
}

/** Fields that clients of the queue may not write. */
export const trustedFieldsOf = ({ trustedFields }: Pick<Queue, 'trustedFields'>): readonly string[] =>
  trustedFields ?? []

/** Seconds that a match without a server of the service may run; null for ever. Rows from before say nothing of it. */
export const matchTtlOf = ({
  matchTtlSeconds = QUEUE_DEFAULTS.matchTtlSeconds,
}: Partial<Pick<Queue, 'matchTtlSeconds'>>): number | null => matchTtlSeconds

export const queueKey = (projectId: string, queueId: string): string => `${projectId}/${queueId}`

export const QUEUE_DEFAULTS = {
  enabled: true,
  maxPlayers: 10,
  timeoutSeconds: 300,
  heartbeat: false,
  heartbeatTimeoutSeconds: 60,
  hostLeaveBehavior: 'promote',
  lobbyTtlSeconds: 3_600,
  matchTtlSeconds: 86_400,
  serverSettings: null,
  matchmaking: null,
  trustedFields: null,
} as const
