import type { BackfillPriority, MatchmakingConfig } from '@matchyard/matchmaking'
import type { Region } from '../catalog/regions'
import type { Tier } from '../catalog/tiers'
import type { PortRequest } from '../server/game-server'
import type { Readiness } from '../server/readiness'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { InviteCodeConfig } from './invite-code'

/** `promote`: host passes to the longest-present remaining player. `delete`: the lobby is destroyed. */
export const HOST_LEAVE_BEHAVIORS = ['promote', 'delete'] as const
export type HostLeaveBehavior = (typeof HOST_LEAVE_BEHAVIORS)[number]

/** Who brings the server of a match: `build` launches one from `versionTag`; `external` is the studio's own, told by its backend. */
export const SERVER_SOURCES = ['build', 'external'] as const
export type ServerSource = (typeof SERVER_SOURCES)[number]

/** Servers of a queue that are started before their match, and wait for it. */
export interface WarmSettings {
  /** The least of them that there are in all, those in matches counted; default 0. */
  readonly min?: number
  /** How many wait; default 1. */
  readonly buffer?: number
}

export const WARM_DEFAULTS = { min: 0, buffer: 1 } as const satisfies Required<WarmSettings>

/** The template from which a match's game server is created. Without `versionTag` no server is launched. */
export interface ServerSettings {
  /** Default `build`; with `external` a `versionTag` means nothing. */
  readonly source?: ServerSource
  readonly versionTag?: string
  /** The version of the build `versionTag` that is launched; null: its newest that is ready and not disabled (default). */
  readonly version?: number | null
  readonly region?: Region
  readonly tier?: Tier
  readonly networkPorts?: readonly PortRequest[]
  readonly startupArgs?: string
  /** What makes the server run; default `port`. */
  readonly readiness?: Readiness
  /** Seconds. */
  readonly ttl?: number
  readonly autoRestart?: boolean
  readonly customData?: JsonObject
  /** Absent: a server is started when its match is made. */
  readonly warm?: WarmSettings
}

/** Whether open seats are served before new matches are made, or from what those leave. */
export const BACKFILL_PRIORITIES = ['after', 'before'] as const satisfies readonly BackfillPriority[]

/** How running matches of a queue get newcomers for their open seats. */
export interface BackfillSettings {
  /** Whether a running match that is left short asks by itself; default false. */
  readonly automatic?: boolean
  /** Default `after`. */
  readonly priority?: BackfillPriority
  /** Seconds that a request searches; default 300. */
  readonly timeoutSeconds?: number
}

export const DEFAULT_BACKFILL_SECONDS = 300

/** Players are asked before a match is made. */
export interface ReadyCheck {
  /** Seconds to answer in. */
  readonly timeoutSeconds: number
  /** Seconds for which a player who declines, leaves or is silent cannot enter the queue; default 0. */
  readonly penaltySeconds?: number
}

/** `queue.matchmaking`: the engine's configuration, how long a ticket may wait under it, and what happens to a match that it finds. */
export interface QueueMatchmaking extends Omit<MatchmakingConfig, 'backfillPriority'> {
  /** Seconds; the smaller of this and the queue's own timeout counts. */
  readonly timeoutSeconds?: number
  readonly backfill?: BackfillSettings
  /** Absent: matches are made as they are found. */
  readonly readyCheck?: ReadyCheck
}

/** What its developer decides about a queue. */
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

/** What a queue is made of or changed by; whatever is left out takes its default, or is kept (docs/http-api.md §5). */
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
