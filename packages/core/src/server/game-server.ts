import type { Region } from '../catalog/regions'
import type { Tier } from '../catalog/tiers'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Readiness } from './readiness'

export const SERVER_STATUSES = ['launching', 'running', 'stopping', 'stopped', 'failed'] as const
export type ServerStatus = (typeof SERVER_STATUSES)[number]

/** Statuses of servers that hold capacity and ports and count towards `max_concurrent_servers`. */
export const LIVE_SERVER_STATUSES: readonly ServerStatus[] = ['launching', 'running', 'stopping']

/** Reason why a server is still launching: `waiting_for_room` when no node has capacity for it. */
export const SERVER_STATUS_REASONS = ['waiting_for_room'] as const
export type ServerStatusReason = (typeof SERVER_STATUS_REASONS)[number]

/** Capacity of a server, and its place in the waiting line. */
export interface ServerRoom {
  /** Time until which the server may wait for capacity. */
  readonly deadlineAt: Instant
  /** Time at which the first counted attempt was admitted; null before. */
  readonly admittedAt: Instant | null
  /** Orchestrator in whose line the server waits; null while the server does not wait. */
  readonly orchestrator: string | null
  /** Time since which younger servers pass this one; null when none has passed it. */
  readonly passedSince: Instant | null
}

export const PROTOCOLS = ['udp', 'tcp'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** Port that a queue or a launch requests. */
export interface PortRequest {
  readonly name: string
  readonly protocol: Protocol
  readonly internalPort: number
  /** Whether the port uses TLS; only with `tcp`. */
  readonly tlsEnabled: boolean
}

/** Port that was assigned to a server. */
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
  /** Set while the server waits for capacity; absent in rows of earlier releases. */
  readonly statusReason?: ServerStatusReason | null
  /** Absent in rows of earlier releases. */
  readonly room?: ServerRoom
  readonly region: Region
  readonly tier: Tier
  readonly versionTag: string
  /** Version of `versionTag` that the queue pinned; absent for the newest version at the launch. */
  readonly pinnedVersion?: number
  /** Build fixed by the first attempt: the pinned version of `versionTag`, or its newest; null before. */
  readonly buildId: string | null
  readonly buildVersion: number | null
  readonly portRequests: readonly PortRequest[]
  /** Assigned ports; empty until the launch has them. */
  readonly networkPorts: readonly PortMapping[]
  readonly startupArgs: string
  /** Requested readiness; absent for the default. */
  readonly readiness?: Readiness
  /** Lifetime in seconds; null when unlimited. */
  readonly ttlSeconds: number | null
  readonly autoRestart: boolean
  readonly customData: JsonObject
  readonly queueId: string | null
  readonly matchId: string | null
  /** Place in the trace of the request that launched the server; absent without a trace. Callers never see it. */
  readonly trace?: string
  /** Node that launched the server; null before the first attempt. */
  readonly nodeId: string | null
  /** Number of spawns so far, launch attempts and restarts alike. It is recorded before the spawn. */
  readonly attempt: number
  /** Whether the current attempt may still become ready; false before the first attempt, and after an attempt was given up. */
  readonly attemptOpen: boolean
  /** Number of launch attempts that count, at most MAX_LAUNCH_ATTEMPTS. An attempt that only met a port in use does not count. */
  readonly launchAttempts: number
  /** Deadline of the launch: a server that is not running by then has failed. */
  readonly launchDeadlineAt: Instant
  /** Whether the current attempt got a warm server; absent when it did not. */
  readonly fromWarm?: boolean
  readonly exitCode: number | null
  /** Signal that ended the last process, for instance `SIGSEGV`; absent when no signal did. */
  readonly exitSignal?: string
  readonly stopReason: string | null
  /** Number of all restarts: by `auto_restart`, and by request. */
  readonly restarts: number
  /** Number of automatic restarts in a row without a healthy period between them. */
  readonly crashesInARow: number
  /** Time of the next spawn, while a running server waits for it (a restart, or the backoff after a crash); null otherwise. */
  readonly relaunchAt: Instant | null
  /** Attempt of a restart that is not ready yet; absent when it is ready, and in rows of earlier releases. */
  readonly comingUp?: number
  /** Time at which the current attempt became ready, or was spawned while it is not ready yet. */
  readonly launchedAt: Instant | null
  readonly createdAt: Instant
  /** Start of metering. */
  readonly runningAt: Instant | null
  /** End of metering. */
  readonly stoppedAt: Instant | null
  /** Time of the end by ttl: `runningAt` plus the ttl; null when unlimited or not yet running. */
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

/** Largest number of launch attempts within the deadline (docs/http-api.md §8). */
export const MAX_LAUNCH_ATTEMPTS = 3
/** Milliseconds of the launch deadline, unless configured otherwise. */
export const DEFAULT_LAUNCH_TIMEOUT_MS = 60_000
/** Number of automatic restarts in a row after which the next crash fails the server. */
export const MAX_CRASHES_IN_A_ROW = 5
/** Milliseconds between SIGTERM and SIGKILL. */
export const STOP_GRACE_MS = 10_000
/** Milliseconds after which a ready process counts as healthy: the next crash is then the first in a row again. */
export const HEALTHY_AFTER_MS = 60_000
/** Returns the milliseconds of backoff before the n-th automatic restart in a row: 1, 2, 4, 8, 16 s. */
export const restartBackoffMs = (crashesInARow: number): number => 1_000 * 2 ** Math.max(0, crashesInARow - 1)

/** Node and attempt of a spawned process. */
export interface Spawned {
  readonly nodeId: string
  readonly attempt: number
}

export const isLaunching = (server: GameServer): boolean => server.status === 'launching'
/** Whether a launching server waits for capacity, without a node. */
export const isWaiting = (server: GameServer): boolean => server.statusReason === 'waiting_for_room'
export const isRunning = (server: GameServer): boolean => server.status === 'running'
export const isStopping = (server: GameServer): boolean => server.status === 'stopping'

/** Whether the next process of a running server is still to be spawned (a restart, or the backoff after a crash). */
export const awaitsRelaunch = (server: GameServer): server is GameServer & { readonly relaunchAt: Instant } =>
  server.status === 'running' && server.relaunchAt !== null

/** Whether the process of a restarted server is spawned but not ready yet. */
export const isComingUp = (server: GameServer): boolean =>
  server.status === 'running' && server.relaunchAt === null && server.comingUp === server.attempt

/** Live server whose process or open attempt belongs to a node. */
export type OwnedServer = GameServer & { readonly nodeId: string }

/**
 * Whether a node owns the server. A launching server whose attempt was abandoned has no node: the worker of its job makes the next attempt.
 */
export const isOwned = (server: GameServer): server is OwnedServer =>
  isLive(server) && server.nodeId !== null && (server.status !== 'launching' || server.attemptOpen)

/** Whether no more players can be sent to the server: it is stopping, or has ended. */
export const isEnding = (server: GameServer): boolean => !isLive(server) || server.status === 'stopping'

export const isLive = (server: { readonly status: ServerStatus }): boolean =>
  LIVE_SERVER_STATUSES.includes(server.status)
