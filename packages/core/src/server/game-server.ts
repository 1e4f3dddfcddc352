import type { Region } from '../catalog/regions'
import type { Tier } from '../catalog/tiers'
import type { JsonObject } from '../shared/json'
import { type Instant, SECOND_MS } from '../shared/time'
import type { ServerCrash } from './crash'
import type { EndCause } from './end-causes'
import type { Environment } from './environment'
import type { Readiness } from './readiness'

/** Statuses of a game server. `running` servers take players; `stopped` and `failed` servers have ended. */
export const SERVER_STATUSES = ['launching', 'running', 'stopping', 'stopped', 'failed'] as const
/** Status of a game server, one of `SERVER_STATUSES`. */
export type ServerStatus = (typeof SERVER_STATUSES)[number]

/** Statuses of servers that hold capacity and ports, and that count towards `max_concurrent_servers`. */
export const LIVE_SERVER_STATUSES: readonly ServerStatus[] = ['launching', 'running', 'stopping']

/** Reasons why a server is still launching. `waiting_for_room`: no node has capacity for it. */
export const SERVER_STATUS_REASONS = ['waiting_for_room'] as const
/** Reason why a server is still launching, one of `SERVER_STATUS_REASONS`. */
export type ServerStatusReason = (typeof SERVER_STATUS_REASONS)[number]

/** Capacity of a server, and its position in the waiting line. */
export interface ServerRoom {
  /** Time until which the server may wait for capacity. */
  readonly deadlineAt: Instant
  /** Time at which the first counted attempt was admitted; null before that. */
  readonly admittedAt: Instant | null
  /** Orchestrator in whose waiting line the server is; null while the server does not wait. */
  readonly orchestrator: string | null
  /** Time since which younger servers may be launched before this server; null when no younger server was. */
  readonly passedSince: Instant | null
  /** Machine that shall start the waiting server; absent when any machine may. */
  readonly machine?: string
}

/** Protocols of a socket. */
export type Transport = 'udp' | 'tcp'

/** Protocols of a port. A port with `tcp+udp` has one number, on which the server listens by both protocols. */
export const PROTOCOLS = ['udp', 'tcp', 'tcp+udp'] as const
/** Protocol of a port, one of `PROTOCOLS`. */
export type Protocol = (typeof PROTOCOLS)[number]

/** Returns the protocols of the sockets on which a server listens for a port. */
export const transportsOf = (protocol: Protocol): readonly Transport[] =>
  protocol === 'tcp+udp' ? ['tcp', 'udp'] : [protocol]

/** Port that a queue or a launch requests. */
export interface PortRequest {
  /** Name of the port, 1 to 64 characters; the program gets its number as `PORT_<NAME>`. */
  readonly name: string
  /** Protocol of the port. */
  readonly protocol: Protocol
  /** Port on which the server listens, 1 to 65,535, if it has its own network. */
  readonly internalPort: number
  /**
   * Whether players connect with TLS; only with `tcp`. The machine ends TLS with its certificate, and the program listens without TLS on the
   * port in its `PORT_<NAME>`, which then differs from the external port.
   */
  readonly tlsEnabled: boolean
}

/** Whether a port among these has TLS. */
export const hasTls = (ports: readonly PortRequest[]): boolean => ports.some(({ tlsEnabled }) => tlsEnabled)

/** Port that was assigned to a server. */
export interface PortMapping extends PortRequest {
  /** Port that players connect to. */
  readonly externalPort: number
  /** Address to which players connect. */
  readonly host: string
}

/** One game server, from the decision to launch it to its end. The row is kept after the end for billing. */
export interface GameServer {
  /** Id of the server: `srv_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the server. */
  readonly projectId: string
  /** Account that owns the project. */
  readonly accountId: string
  /** Display name. */
  readonly name: string
  /** Status; a `running` server takes players. */
  readonly status: ServerStatus
  /** Set while the server waits for capacity. Absent in rows of earlier releases. */
  readonly statusReason?: ServerStatusReason | null
  /** Absent in rows of earlier releases. */
  readonly room?: ServerRoom
  /** Region in which the server runs. */
  readonly region: Region
  /** Region that was asked for; absent when the server runs there. */
  readonly askedRegion?: Region
  /** Size: cores and gigabytes. */
  readonly tier: Tier
  /** Name of the server's build. */
  readonly versionTag: string
  /** Version of the build `versionTag` that the queue fixed. Absent: the launch takes the newest version. */
  readonly pinnedVersion?: number
  /** Build that the first attempt chose: the fixed version of `versionTag`, or its newest version. Null before the first attempt. */
  readonly buildId: string | null
  /** Version of the build among the builds of its name; null when `buildId` is null. */
  readonly buildVersion: number | null
  /** Ports that the server requests, at most 16. */
  readonly portRequests: readonly PortRequest[]
  /** Assigned ports; empty until the launch has ports. */
  readonly networkPorts: readonly PortMapping[]
  /** Arguments of the program; empty without arguments. */
  readonly startupArgs: string
  /** Environment variables that the queue sets for the program; absent when the queue sets none. */
  readonly environment?: Environment
  /** Condition on which the server counts as running; absent for the default. */
  readonly readiness?: Readiness
  /** Maximum seconds that the server runs (ttl); null when unlimited. */
  readonly ttlSeconds: number | null
  /** Seconds from SIGTERM to SIGKILL; absent for the setting of the service. */
  readonly stopGraceSeconds?: number
  /** Whether the server is restarted when its program ends by itself. */
  readonly autoRestart: boolean
  /** Custom data for the program, in its configuration file. */
  readonly customData: JsonObject
  /** Queue for which the server was launched; null for a server that a backend launched. */
  readonly queueId: string | null
  /** Match of the server; null without one. */
  readonly matchId: string | null
  /** Trace context of the request that launched the server; absent without a trace. The API does not show it. */
  readonly trace?: string
  /** Node of the latest attempt to launch the server. Null before the first attempt, and while the server waits for capacity. */
  readonly nodeId: string | null
  /** Number of spawns so far, by launch attempts and by restarts. The number is recorded before each spawn. */
  readonly attempt: number
  /** Whether the current attempt can still become ready. False before the first attempt, and after the attempt was given up. */
  readonly attemptOpen: boolean
  /**
   * Number of launch attempts that count, at most MAX_LAUNCH_ATTEMPTS. An attempt that failed only because a port was in use does not
   * count.
   */
  readonly launchAttempts: number
  /** Deadline of the launch. A server that is not running at this instant fails. */
  readonly launchDeadlineAt: Instant
  /** Whether the current attempt took a warm server, which was started in advance; absent when it did not. */
  readonly fromWarm?: boolean
  /** Exit code of the last process; null while none has ended, when a signal ended it, and when the code is unknown. */
  readonly exitCode: number | null
  /** Signal that ended the last process, for instance `SIGSEGV`; absent when no signal ended it. */
  readonly exitSignal?: string
  /** Last crash of a process of the server, also of one that a restart followed; absent when no process crashed. */
  readonly lastCrash?: ServerCrash
  /** Cause of the end, from the decision to stop the server on; absent before, and in rows of earlier releases. */
  readonly endReason?: EndCause
  /** Reason of the stop or failure, as a sentence; null while the server has neither stopped nor failed. */
  readonly stopReason: string | null
  /** Number of all restarts: automatic restarts after crashes, and requested restarts. */
  readonly restarts: number
  /** Number of automatic restarts in a row, without a healthy period between them. */
  readonly crashesInARow: number
  /** Time of the next spawn, while a running server waits for a restart or for the backoff after a crash; null otherwise. */
  readonly relaunchAt: Instant | null
  /** Number of the restart's attempt while it is not ready; absent when it is ready, and in rows of earlier releases. */
  readonly comingUp?: number
  /** Time at which the current attempt became ready. While it is not ready: the time of its spawn. */
  readonly launchedAt: Instant | null
  /** Time of the decision to launch the server. */
  readonly createdAt: Instant
  /** Time at which metering begins. */
  readonly runningAt: Instant | null
  /** Time at which metering ends. */
  readonly stoppedAt: Instant | null
  /**
   * Time at which the ttl ends the server: `runningAt` plus the ttl. Null when the ttl is unlimited, and while the server has not run yet.
   */
  readonly expiresAt: Instant | null
  /** Time of the last change. */
  readonly updatedAt: Instant
}

/** Summary of a server that a lobby shows: the fields that players need to connect. */
export interface ServerSummary {
  /** Id of the server: `srv_` and a ULID; `ext_` and the ULID of the match for a server that the studio runs. */
  readonly instanceId: string
  /** Region of the server. */
  readonly region: Region
  /** Status of the server; `running` when players can connect. */
  readonly status: ServerStatus
  /** Match of the server. */
  readonly matchId: string
  /** Ports that players connect to. */
  readonly networkPorts: readonly PortMapping[]
}

/** Maximum number of launch attempts within the launch deadline (docs/http-api.md §8). */
export const MAX_LAUNCH_ATTEMPTS = 3
/** Default milliseconds from the first attempt to launch a server to its launch deadline. */
export const DEFAULT_LAUNCH_TIMEOUT_MS = 60_000
/** Maximum number of automatic restarts in a row. The next crash after them fails the server. */
export const MAX_CRASHES_IN_A_ROW = 5
/** Milliseconds between SIGTERM and SIGKILL. */
export const STOP_GRACE_MS = 10_000
/** Returns the milliseconds between SIGTERM and SIGKILL of one server. `usual` applies when its queue sets none. */
export const stopGraceOf = ({ stopGraceSeconds }: Pick<GameServer, 'stopGraceSeconds'>, usual: number): number =>
  stopGraceSeconds === undefined ? usual : stopGraceSeconds * SECOND_MS
/** Milliseconds after which a ready process counts as healthy. A later crash then counts as the first in a row again. */
export const HEALTHY_AFTER_MS = 60_000
/** Returns the milliseconds of backoff before the n-th automatic restart in a row: 1, 2, 4, 8, 16 s. */
export const restartBackoffMs = (crashesInARow: number): number => 1_000 * 2 ** Math.max(0, crashesInARow - 1)

/** Node and attempt by which a process was spawned. */
export interface Spawned {
  readonly nodeId: string
  readonly attempt: number
}

export const isLaunching = (server: GameServer): boolean => server.status === 'launching'
/** Whether a launching server waits for capacity and has no node. */
export const isWaiting = (server: GameServer): boolean => server.statusReason === 'waiting_for_room'
export const isRunning = (server: GameServer): boolean => server.status === 'running'
export const isStopping = (server: GameServer): boolean => server.status === 'stopping'

/** Whether the next process of a running server is not spawned yet, because of a restart or the backoff after a crash. */
export const awaitsRelaunch = (server: GameServer): server is GameServer & { readonly relaunchAt: Instant } =>
  server.status === 'running' && server.relaunchAt !== null

/** Whether the process of a restarted server is spawned but not ready yet. */
export const isComingUp = (server: GameServer): boolean =>
  server.status === 'running' && server.relaunchAt === null && server.comingUp === server.attempt

/** Whether players can play on the server at present: it runs, and no restart is under way. */
export const isServing = (server: GameServer): boolean =>
  isRunning(server) && !awaitsRelaunch(server) && !isComingUp(server)

/** Live server with a node: the node runs its process or its open attempt. */
export type OwnedServer = GameServer & { readonly nodeId: string }

/**
 * Whether a node owns the server. A launching server whose attempt was given up has no node: the worker that runs its launch job makes the
 * next attempt.
 */
export const isOwned = (server: GameServer): server is OwnedServer =>
  isLive(server) && server.nodeId !== null && (server.status !== 'launching' || server.attemptOpen)

/** Whether no more players may be sent to the server, because it is stopping or has ended. */
export const isEnding = (server: GameServer): boolean => !isLive(server) || server.status === 'stopping'

export const isLive = (server: { readonly status: ServerStatus }): boolean =>
  LIVE_SERVER_STATUSES.includes(server.status)
