import type { MeteredInterval } from '../billing/usage-sums'
import { accept, type Decision, reject } from '../errors/decision'
import { type JsonValue, jsonEqual } from '../shared/json'
import type { Instant } from '../shared/time'
import type { ServerCrash } from './crash'
import type { ServerEvent } from './events'
import { canMoveServer } from './evolve'
import {
  awaitsRelaunch,
  type GameServer,
  isComingUp,
  isLive,
  isWaiting,
  MAX_LAUNCH_ATTEMPTS,
  type PortMapping,
} from './game-server'

/**
 * Launch of a server, from the decision to `running`. Each attempt is recorded before its process is spawned. The attempt stays open until
 * its process is ready or the attempt is given up. Each decision checks the record again, because its caller read the record earlier.
 */

/** Attempt that the caller read in the record. */
export type SeenAttempt = Pick<GameServer, 'attempt' | 'attemptOpen'>

export const isAsSeen = (server: GameServer, seen: SeenAttempt): boolean =>
  server.status === 'launching' && server.attempt === seen.attempt && server.attemptOpen === seen.attemptOpen

/** Whether another launch attempt is allowed. */
export const mayAttempt = (server: GameServer): boolean => server.launchAttempts < MAX_LAUNCH_ATTEMPTS

/**
 * Records the node, the ports, the build and the deadline of a new attempt. Returns no event when the record has changed since the caller
 * read it. A server that joined the waiting line meanwhile is attempted in its turn, and not by a launch that was decided before.
 */
export function attemptLaunch(
  server: GameServer,
  seen: GameServer,
  attempt: {
    readonly nodeId: string
    readonly networkPorts: readonly PortMapping[]
    readonly buildId: string
    readonly buildVersion: number
    readonly at: Instant
    readonly launchTimeoutMs: number
  },
): ServerEvent[] {
  if (!isAsSeen(server, seen) || isWaiting(server) !== isWaiting(seen)) return []
  const { at, launchTimeoutMs, ...where } = attempt
  // The launch timeout begins with the first attempt that has capacity. In rows of earlier releases, the launch timeout has begun.
  const begins = server.room?.admittedAt === null
  const admittedAt = begins ? at : (server.room?.admittedAt ?? null)
  const launchDeadlineAt = begins ? at + launchTimeoutMs : server.launchDeadlineAt
  return [{ type: 'server_launch_attempted', ...where, admittedAt, launchDeadlineAt }]
}

/** Failure of a launch attempt. */
interface FailedAttempt {
  /** False when the attempt failed only because a port was in use, or because its node was lost. */
  readonly counts: boolean
  readonly ran?: NeverReady | undefined
  /** Report about the process that ended before it was ready; absent when no process ended. */
  readonly crash?: ServerCrash | undefined
}

/** Gives up the attempt, so that another attempt may follow. */
export const decideGiveUpAttempt = (
  server: GameServer,
  seen: SeenAttempt,
  { counts, ran, crash }: FailedAttempt,
): ServerEvent[] =>
  isAsSeen(server, seen)
    ? [{ type: 'server_attempt_failed', counts, ...(crash === undefined ? {} : { crash }), ...asRun(server, ran) }]
    : []

/** Time that the process of an attempt ran without becoming ready: from its start to its end, or until now. */
export interface NeverReady extends MeteredInterval {
  readonly attempt: number
}

/**
 * Returns the usage of an attempt that was never ready. The usage is returned only once: not for an attempt that is already over in the
 * record, and not for a running server, which is metered from `runningAt`.
 */
export function asRun(server: GameServer, ran: NeverReady | undefined): { readonly ran?: MeteredInterval } {
  if (ran === undefined || !server.attemptOpen || server.attempt !== ran.attempt || server.runningAt !== null) return {}
  return ran.from < ran.to ? { ran: { from: ran.from, to: ran.to } } : {}
}

/** Minimum postponement of a deadline, as a share of the launch timeout, so that not every check writes a commit. */
const POSTPONED_BY = 1 / 4

/**
 * Postpones the deadline of an attempt whose machine does not answer, because the launch is not at fault. The launch timeout starts again
 * now, but not later than at the end of the time that the server may wait for capacity.
 */
export function decidePostponeLaunch(
  server: GameServer,
  seen: SeenAttempt,
  { at, launchTimeoutMs }: { readonly at: Instant; readonly launchTimeoutMs: number },
): ServerEvent[] {
  if (!isAsSeen(server, seen) || !seen.attemptOpen || server.room === undefined) return []
  const launchDeadlineAt = Math.min(at, server.room.deadlineAt) + launchTimeoutMs
  if (launchDeadlineAt - server.launchDeadlineAt < launchTimeoutMs * POSTPONED_BY) return []
  return [{ type: 'server_launch_postponed', launchDeadlineAt }]
}

/** Facts about a failed launch that not every failure has. */
export interface LaunchFailure {
  readonly exitCode?: number | null
  readonly cause?: 'build_missing' | 'no_room'
  /** Report about the process that ended before it was ready; absent when no process ended. */
  readonly crash?: ServerCrash
}

/** Decides that the launch has failed. No attempt follows. Returns no event when the record has changed since the caller read it. */
export function decideFailLaunch(
  server: GameServer,
  seen: SeenAttempt & Pick<GameServer, 'launchDeadlineAt'>,
  {
    ran,
    ...failure
  }: LaunchFailure & {
    readonly stopReason: string
    readonly exitCode: number | null
    readonly at: Instant
    readonly ran?: NeverReady | undefined
  },
): ServerEvent[] {
  const isSame = isAsSeen(server, seen) && server.launchDeadlineAt === seen.launchDeadlineAt
  return isSame ? [{ type: 'server_failed', ...failure, ...asRun(server, ran) }] : []
}

/**
 * Marks the server as running when the process of its attempt is ready, also after a restart. An attempt that was given up changes nothing.
 */
export function becomeReady(server: GameServer, { attempt, at }: { attempt: number; at: Instant }): ServerEvent[] {
  if (server.status === 'running') return upAgain(server, attempt, at)
  const runs = server.attempt === attempt && server.attemptOpen && canMoveServer(server, 'ready')
  return runs ? [{ type: 'server_running', at }] : []
}

/** Returns the events for a restarted server that is ready. Its spawn counts as done, even when the record does not show it yet. */
function upAgain(server: GameServer, attempt: number, at: Instant): ServerEvent[] {
  const isNews = server.attempt === attempt && (awaitsRelaunch(server) || isComingUp(server))
  return isNews ? [{ type: 'server_up_again', at }] : []
}

/** Records the ports that the platform assigned to an attempt. Returns no event when the record already has these ports. */
export function learnPorts(
  server: GameServer,
  seen: { readonly attempt: number; readonly networkPorts: readonly PortMapping[] | undefined },
): ServerEvent[] {
  const { attempt, networkPorts } = seen
  if (networkPorts === undefined || attempt !== server.attempt || !isLive(server)) return []
  const isKnown = jsonEqual(networkPorts as unknown as JsonValue, server.networkPorts as unknown as JsonValue)
  return isKnown ? [] : [{ type: 'server_ports_given', networkPorts }]
}

/** Records that the attempt took a warm server. Returns no event when the record already says so. */
export function learnWarm(
  server: GameServer,
  seen: { readonly attempt: number; readonly warm?: string | undefined },
): ServerEvent[] {
  const isNews =
    seen.warm !== undefined && seen.attempt === server.attempt && isLive(server) && server.fromWarm !== true
  return isNews ? [{ type: 'server_was_warm' }] : []
}

/** Marks the server as running when the game server itself reports that it is ready. A repeated call changes nothing. */
export function declareReady(
  server: GameServer,
  { attempt, at }: { attempt: number; at: Instant },
): Decision<ServerEvent> {
  const current = currentSpawn(server, attempt)
  if (!current.ok) return current
  if (server.status === 'running') return accept(...becomeReady(server, { attempt, at }))
  // Without ports, players could not connect. The platform reports the ports before the game server starts, but the record that was read
  // may be slightly older.
  if (server.networkPorts.length < server.portRequests.length) {
    return reject('UNAVAILABLE', `the ports of server ${server.id} are not known yet; try again shortly`)
  }
  const events = becomeReady(server, { attempt, at })
  return events.length > 0 ? accept(...events) : notNow(server)
}

/** Refuses a call with the token of an attempt that is not the current attempt of the game server. */
export const currentSpawn = (server: GameServer, attempt: number): Decision<never> =>
  server.attempt === attempt ? accept() : notNow(server)

type TokenVerdict = { readonly ok: true; readonly server: GameServer } | ReturnType<typeof reject>

/** Returns the server to which a token belongs. Refuses the token when the server has ended or was started again. */
export function tokenHolds(server: GameServer | undefined, attempt: number): TokenVerdict {
  if (server === undefined || !isLive(server)) return refusedServerToken('its server has ended')
  if (server.attempt !== attempt)
    return refusedServerToken('the game server was started again, and has another token now')
  return { ok: true, server }
}

export const refusedServerToken = (why: string) =>
  reject('INVALID_SESSION_TOKEN', `the game server's token is not valid: ${why}`)

const notNow = (server: GameServer) =>
  reject(
    'INVALID_SERVER_STATE',
    `server ${server.id} is ${server.status}, or the service has started it again since this token was issued`,
    {
      status: server.status,
    },
  )
