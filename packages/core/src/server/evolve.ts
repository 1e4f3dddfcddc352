import { lifeOf } from '../shared/transitions'
import type { ServerCrash } from './crash'
import { endCauseOf } from './end-cause'
import type { ServerEvent } from './events'
import { type GameServer, isWaiting, type ServerStatus, type ServerSummary } from './game-server'
import { SERVER_TRANSITIONS, type ServerTrigger } from './transitions'

const { canMove: canMoveServer, moved } = lifeOf<ServerStatus, ServerTrigger>('server', SERVER_TRANSITIONS)

export { canMoveServer }

export function evolveServer(server: GameServer, event: ServerEvent): GameServer {
  switch (event.type) {
    case 'server_launch_attempted':
      return {
        ...startedAnew(server),
        nodeId: event.nodeId,
        networkPorts: event.networkPorts,
        buildId: event.buildId,
        buildVersion: event.buildVersion,
        attempt: server.attempt + 1,
        attemptOpen: true,
        launchAttempts: server.launchAttempts + 1,
        launchDeadlineAt: event.launchDeadlineAt,
        ...outOfLine(server, event.admittedAt),
      }
    case 'server_ports_given':
      return { ...server, networkPorts: event.networkPorts }
    case 'server_was_warm':
      return { ...server, fromWarm: true }
    case 'server_attempt_failed':
      return {
        ...server,
        ...crashOf(event),
        attemptOpen: false,
        launchAttempts: server.launchAttempts - (event.counts ? 0 : 1),
      }
    case 'server_launch_postponed':
      return { ...server, launchDeadlineAt: event.launchDeadlineAt }
    case 'server_waiting': {
      const deadlineAt = server.room?.deadlineAt ?? event.until
      return {
        ...startedAnew(server),
        statusReason: 'waiting_for_room',
        room: {
          ...{ deadlineAt, admittedAt: event.admittedAt, orchestrator: event.orchestrator, passedSince: null },
          ...(event.machine === undefined ? {} : { machine: event.machine }),
        },
        launchDeadlineAt: event.until,
        nodeId: null,
        networkPorts: [],
      }
    }
    case 'server_rerouted':
      return { ...server, region: event.region, askedRegion: server.askedRegion ?? server.region }
    case 'server_passed':
      return server.room === undefined ? server : { ...server, room: { ...server.room, passedSince: event.at } }
    case 'server_running': {
      const expiresAt = earlier(
        server.expiresAt,
        server.ttlSeconds === null ? null : event.at + server.ttlSeconds * 1_000,
      )
      const ttlSeconds = ttlUntil(expiresAt, event.at)
      return { ...moved(server, 'ready'), runningAt: event.at, launchedAt: event.at, expiresAt, ttlSeconds }
    }
    case 'server_relaunched':
      return { ...server, relaunchAt: null, launchedAt: event.at, comingUp: server.attempt }
    case 'server_up_again': {
      const { comingUp: _, ...up } = server
      return { ...up, relaunchAt: null, launchedAt: event.at }
    }
    case 'server_crashed':
      return {
        ...startedAnew(server),
        ...exitOf(event),
        ...crashOf(event),
        crashesInARow: event.crashesInARow,
        relaunchAt: event.relaunchAt,
        attempt: server.attempt + 1,
        restarts: server.restarts + 1,
      }
    case 'server_restarting':
      return {
        ...startedAnew(server),
        relaunchAt: event.relaunchAt,
        attempt: server.attempt + 1,
        restarts: server.restarts + 1,
      }
    case 'server_ttl_capped':
      return {
        ...server,
        expiresAt: event.expiresAt,
        ttlSeconds: ttlUntil(event.expiresAt, server.runningAt ?? server.createdAt),
      }
    case 'server_stopping':
      return {
        ...moved(server, 'stop'),
        ...outOfLine(server),
        endReason: event.cause,
        stopReason: event.stopReason,
        relaunchAt: null,
      }
    case 'server_stopped':
      return ended({ ...moved(server, 'exit'), endReason: server.endReason ?? endCauseOf(server, [event]) }, event)
    case 'server_failed':
      return ended(
        { ...moved(server, 'fail'), ...outOfLine(server), ...crashOf(event), endReason: endCauseOf(server, [event]) },
        event,
      )
  }
}

/** Returns the server without the facts about its previous process. */
function startedAnew({ fromWarm: _, comingUp: __, exitSignal: ___, ...server }: GameServer): GameServer {
  return server
}

/** Returns the changed fields of a server that leaves the waiting line. Rows of earlier releases have no `room`. */
function outOfLine(server: GameServer, admittedAt: number | null = server.room?.admittedAt ?? null) {
  if (server.room === undefined) return {}
  const { machine: _, ...room } = server.room
  return { statusReason: null, room: { ...room, admittedAt, orchestrator: null, passedSince: null } }
}

/** Returns the earlier of two ends. An end that a cap set while the server was launching stays in force. */
const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

/** Returns the ttl that leads to this end, so that the ttl and the end never contradict each other. */
const ttlUntil = (expiresAt: number | null, since: number): number | null =>
  expiresAt === null ? null : Math.ceil((expiresAt - since) / 1_000)

/** Returns the server after all events of one commit, as one new version. */
export function evolveServerAll(server: GameServer, events: readonly ServerEvent[], at: number): GameServer {
  if (events.length === 0) return server
  return { ...events.reduce(evolveServer, server), version: server.version + 1, updatedAt: at }
}

interface Exit {
  readonly exitCode: number | null
  readonly exitSignal?: string | null
}

const exitOf = ({ exitCode, exitSignal }: Exit) => ({
  exitCode,
  ...(exitSignal == null ? {} : { exitSignal }),
})

const crashOf = ({ crash }: { readonly crash?: ServerCrash }) => (crash === undefined ? {} : { lastCrash: crash })

/** Returns the ended server. Metering never ends before it began, even when the clock of another machine reports an earlier end. */
function ended(server: GameServer, event: Exit & { stopReason: string; at: number }): GameServer {
  const stoppedAt = Math.max(event.at, server.runningAt ?? event.at)
  const { exitSignal: _, ...before } = server
  return { ...before, ...exitOf(event), stopReason: event.stopReason, stoppedAt, relaunchAt: null }
}

/**
 * Returns the summary of a server for lobbies. Returns null before the first attempt to launch the server, while it waits for capacity, and
 * for a server without a match.
 */
export function summaryOf(server: GameServer): ServerSummary | null {
  if (server.matchId === null || (server.attempt === 0 && server.status === 'launching') || isWaiting(server))
    return null
  const { id, region, status, matchId, networkPorts } = server
  return { instanceId: id, region, status, matchId, networkPorts }
}
