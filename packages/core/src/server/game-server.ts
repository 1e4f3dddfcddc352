import type { Region } from '../catalog/regions'
import type { Tier } from '../catalog/tiers'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Readiness } from './readiness'

export const SERVER_STATUSES = ['launching', 'running', 'stopping', 'stopped', 'failed'] as const
export type ServerStatus = (typeof SERVER_STATUSES)[number]

/** Statuses of servers that hold capacity and ports and count towards `max_concurrent_servers`. */
export const LIVE_SERVER_STATUSES: readonly ServerStatus[] = ['launching', 'running', 'stopping']

/** Why a server is still launching, where that has a reason of its own: no node has room for it. */
export const SERVER_STATUS_REASONS = ['waiting_for_room'] as const
export type ServerStatusReason = (typeof SERVER_STATUS_REASONS)[number]

/** Capacity that a server uses of its installation. */
export interface ServerRoom {
  /** Until when it may wait for it. */
  readonly deadlineAt: Instant
  /** When the first of its attempts that stand was admitted; null before. */
  readonly admittedAt: Instant | null
  /** In whose line it waits; null while it does not. */
  readonly orchestrator: string | null
  /** Since when younger ones pass it; null while none has. */
  readonly passedSince: Instant | null
}

export const PROTOCOLS = ['udp', 'tcp'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** A port as a queue or a launch asks for it. */
export interface PortRequest {
  readonly name: string
  readonly protocol: Protocol
  readonly internalPort: number
  /** Only with `tcp`. */
  readonly tlsEnabled: boolean
}

/** A port as it was given out. */
export interface PortMapping extends PortRequest {
  readonly externalPort: number
  /** Address to connect to. */
  readonly host: string
}

/** One game server, from the decision to launch it to its end; kept afterwards for billing. */
export interface GameServer {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly accountId: string
  readonly name: string
  readonly status: ServerStatus
  /** Set while it waits; absent in rows from before. */
  readonly statusReason?: ServerStatusReason | null
  /** Absent in rows from before. */
  readonly room?: ServerRoom
  readonly region: Region
  readonly tier: Tier
  readonly versionTag: string
  /** The version of `versionTag` that its queue pinned; absent: the newest at its launch. */
  readonly pinnedVersion?: number
  /** Fixed by the first attempt: the pinned version of `versionTag`, or its newest; null when there was none. */
  readonly buildId: string | null
  readonly buildVersion: number | null
  readonly portRequests: readonly PortRequest[]
  /** Empty until the launch has ports. */
  readonly networkPorts: readonly PortMapping[]
  readonly startupArgs: string
  /** Absent where nobody asked for one: the default. */
  readonly readiness?: Readiness
  /** null when unlimited. */
  readonly ttlSeconds: number | null
  readonly autoRestart: boolean
  readonly customData: JsonObject
  readonly queueId: string | null
  readonly matchId: string | null
  /** The place in a trace at which it was asked for; absent where nobody traced it. Not told to callers. */
  readonly trace?: string
  /** Which node launched it; null before the first attempt. */
  readonly nodeId: string | null
  /** Grows by one with every spawn (launch attempts and restarts alike); recorded before the spawn. */
  readonly attempt: number
  /** Whether the current attempt may still come up; false before the first and once it was given up. */
  readonly attemptOpen: boolean
  /** Launch attempts that count; at most MAX_LAUNCH_ATTEMPTS. One that only met a port in use does not. */
  readonly launchAttempts: number
  /** Past this instant a server that is not running has failed. */
  readonly launchDeadlineAt: Instant
  /** Whether its current attempt had been started before anybody asked for it; absent where not. */
  readonly fromWarm?: boolean
  readonly exitCode: number | null
  /** The signal that ended its last process, for instance `SIGSEGV`; absent where none did. */
  readonly exitSignal?: string
  readonly stopReason: string | null
  /** How often it was restarted in all, by `auto_restart` and by request. */
  readonly restarts: number
  /** Automatic restarts in a row without a healthy stretch between. */
  readonly crashesInARow: number
  /** Set while the current attempt of a running server is still to be spawned (restart, back-off after a crash). */
  readonly relaunchAt: Instant | null
  /** The attempt by which it was restarted, as long as that has not been ready; absent once it was, and in rows from before. */
  readonly comingUp?: number
  /** Since when the current attempt is up: when it was ready, or spawned where that is still to come. */
  readonly launchedAt: Instant | null
  readonly createdAt: Instant
  /** The start of metering. */
  readonly runningAt: Instant | null
  /** The end of metering. */
  readonly stoppedAt: Instant | null
  /** `runningAt` + ttl; null when unlimited or not yet running. */
  readonly expiresAt: Instant | null
  readonly updatedAt: Instant
}

/** Summary of a server in a lobby: the fields for the connection. */
export interface ServerSummary {
  readonly instanceId: string
  readonly region: Region
  readonly status: ServerStatus
  readonly matchId: string
  readonly networkPorts: readonly PortMapping[]
}

/** A launch is tried at most 3 times inside its deadline (docs/http-api.md §8). */
export const MAX_LAUNCH_ATTEMPTS = 3
/** Default of the configurable launch deadline. */
export const DEFAULT_LAUNCH_TIMEOUT_MS = 60_000
/** Automatic restarts in a row before the server has failed. */
export const MAX_CRASHES_IN_A_ROW = 5
/** Between SIGTERM and SIGKILL. */
export const STOP_GRACE_MS = 10_000
/** A process that stayed up this long once it was ready was healthy: the next crash counts as the first again. */
export const HEALTHY_AFTER_MS = 60_000
/** Back-off before the n-th automatic restart in a row: 1, 2, 4, 8, 16 s. */
export const restartBackoffMs = (crashesInARow: number): number => 1_000 * 2 ** Math.max(0, crashesInARow - 1)

/** Where and as which attempt a process was spawned. */
export interface Spawned {
  readonly nodeId: string
  readonly attempt: number
}

export const isLaunching = (server: GameServer): boolean => server.status === 'launching'
/** Whether it waits for room: launching, bound to no node. */
export const isWaiting = (server: GameServer): boolean => server.statusReason === 'waiting_for_room'
export const isRunning = (server: GameServer): boolean => server.status === 'running'
export const isStopping = (server: GameServer): boolean => server.status === 'stopping'

/** Whether the next process of a running server is still to be spawned (restart, back-off after a crash). */
export const awaitsRelaunch = (server: GameServer): server is GameServer & { readonly relaunchAt: Instant } =>
  server.status === 'running' && server.relaunchAt !== null

/** Whether the process by which a running server was restarted is spawned, and has not been ready yet. */
export const isComingUp = (server: GameServer): boolean =>
  server.status === 'running' && server.relaunchAt === null && server.comingUp === server.attempt

/** A live server whose process, or open attempt, is a node's. */
export type OwnedServer = GameServer & { readonly nodeId: string }

/** An abandoned attempt binds a launching server to no node: the worker that runs its job makes the next attempt. */
export const isOwned = (server: GameServer): server is OwnedServer =>
  isLive(server) && server.nodeId !== null && (server.status !== 'launching' || server.attemptOpen)

/** Whether players can no longer be sent to it: it is on its way out, or gone. */
export const isEnding = (server: GameServer): boolean => !isLive(server) || server.status === 'stopping'

export const isLive = (server: { readonly status: ServerStatus }): boolean =>
  LIVE_SERVER_STATUSES.includes(server.status)
