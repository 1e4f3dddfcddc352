import type { MeteredInterval } from '../billing/usage-sums'
import { accept, type Decision, reject } from '../errors/decision'
import { type JsonValue, jsonEqual } from '../shared/json'
import type { Instant } from '../shared/time'
import type { ServerEvent } from './events'
import { canMoveServer } from './evolve'
import {
  awaitsRelaunch,
  type GameServer,
  isComingUp,
  isLive,
  MAX_LAUNCH_ATTEMPTS,
  type PortMapping,
} from './game-server'

/*
 * The way of a server from the decision to launch it to `running`: attempts, each recorded before anything is spawned, each open
 * until its process is ready or the attempt is abandoned. A caller has read the record before, so each decision checks the record again.
 */

/** Attempt that the caller saw in the record. */
export type SeenAttempt = Pick<GameServer, 'attempt' | 'attemptOpen'>

export const isAsSeen = (server: GameServer, seen: SeenAttempt): boolean =>
  server.status === 'launching' && server.attempt === seen.attempt && server.attemptOpen === seen.attemptOpen

/** Whether there is an attempt left for a server none of whose is open. */
export const mayAttempt = (server: GameServer): boolean => server.launchAttempts < MAX_LAUNCH_ATTEMPTS

/**
 * Records node, build, ports and attempt before anything is spawned. `first`: the passed server of the line, which counts the pass. Returns
 * whether the attempt is recorded; false when a port was taken, the build changed, or the line moved meanwhile.
 */
export function attemptLaunch(
  server: GameServer,
  seen: SeenAttempt,
  attempt: {
    readonly nodeId: string
    readonly networkPorts: readonly PortMapping[]
    readonly buildId: string
    readonly buildVersion: number
    readonly at: Instant
    readonly launchTimeoutMs: number
  },
): ServerEvent[] {
  if (!isAsSeen(server, seen)) return []
  const { at, launchTimeoutMs, ...where } = attempt
  // The launch timeout begins with the first attempt that has room; of rows from before, it has begun.
  const begins = server.room?.admittedAt === null
  const admittedAt = begins ? at : (server.room?.admittedAt ?? null)
  const launchDeadlineAt = begins ? at + launchTimeoutMs : server.launchDeadlineAt
  return [{ type: 'server_launch_attempted', ...where, admittedAt, launchDeadlineAt }]
}

/** The attempt comes to nothing, and the next one may follow; one that only met a port in use, or another node's end, does not count. */
export const decideGiveUpAttempt = (
  server: GameServer,
  seen: SeenAttempt,
  counts: boolean,
  ran?: NeverReady,
): ServerEvent[] => (isAsSeen(server, seen) ? [{ type: 'server_attempt_failed', counts, ...asRun(server, ran) }] : [])

/** The process of an attempt, from its start to its end or to now, that was never ready. */
export interface NeverReady extends MeteredInterval {
  readonly attempt: number
}

/**
 * Returns the usage of an attempt that was never ready, metered once: an attempt that is over in the record was metered then, and a running
 * server is metered from `runningAt`.
 */
export function asRun(server: GameServer, ran: NeverReady | undefined): { readonly ran?: MeteredInterval } {
  if (ran === undefined || !server.attemptOpen || server.attempt !== ran.attempt || server.runningAt !== null) return {}
  return ran.from < ran.to ? { ran: { from: ran.from, to: ran.to } } : {}
}

/** A commit for each part of the launch timeout that has passed, not for each look. */
const POSTPONED_BY = 1 / 4

/**
 * Postpones the deadline of an attempt that needs a machine which does not answer. The launch is not at fault: its timeout starts again, for as
 * long as it might have waited for capacity.
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

/** The launch as a whole comes to nothing. */
export function decideFailLaunch(
  server: GameServer,
  failure: { stopReason: string; exitCode: number | null; at: Instant; cause?: 'build_missing' | 'no_room' },
  ran?: NeverReady,
): ServerEvent[] {
  return server.status === 'launching' ? [{ type: 'server_failed', ...failure, ...asRun(server, ran) }] : []
}

/**
 * The process of an attempt takes players: the server runs, or runs again after a restart. An attempt that was given up does not come up
 * after all.
 */
export function becomeReady(server: GameServer, { attempt, at }: { attempt: number; at: Instant }): ServerEvent[] {
  if (server.status === 'running') return upAgain(server, attempt, at)
  const runs = server.attempt === attempt && server.attemptOpen && canMoveServer(server, 'ready')
  return runs ? [{ type: 'server_running', at }] : []
}

/** A ready server has been spawned, even when the record does not say so yet. */
function upAgain(server: GameServer, attempt: number, at: Instant): ServerEvent[] {
  const isNews = server.attempt === attempt && (awaitsRelaunch(server) || isComingUp(server))
  return isNews ? [{ type: 'server_up_again', at }] : []
}

/** The ports that the platform gave to an attempt by itself; none where they are known already. */
export function learnPorts(
  server: GameServer,
  seen: { readonly attempt: number; readonly networkPorts: readonly PortMapping[] | undefined },
): ServerEvent[] {
  const { attempt, networkPorts } = seen
  if (networkPorts === undefined || attempt !== server.attempt || !isLive(server)) return []
  const isKnown = jsonEqual(networkPorts as unknown as JsonValue, server.networkPorts as unknown as JsonValue)
  return isKnown ? [] : [{ type: 'server_ports_given', networkPorts }]
}

/** That the process of an attempt was one that waited; nothing where that is known already. */
export function learnWarm(
  server: GameServer,
  seen: { readonly attempt: number; readonly warm?: string | undefined },
): ServerEvent[] {
  const isNews =
    seen.warm !== undefined && seen.attempt === server.attempt && isLive(server) && server.fromWarm !== true
  return isNews ? [{ type: 'server_was_warm' }] : []
}

/** The game server itself says that it takes players; again is fine. */
export function declareReady(
  server: GameServer,
  { attempt, at }: { attempt: number; at: Instant },
): Decision<ServerEvent> {
  const current = currentSpawn(server, attempt)
  if (!current.ok) return current
  if (server.status === 'running') return accept(...becomeReady(server, { attempt, at }))
  // Players could not connect without ports. The platform reports ports before it starts a server, and the caller may read slightly older data.
  if (server.networkPorts.length < server.portRequests.length) {
    return reject('UNAVAILABLE', `the ports of server ${server.id} are not known yet; try again shortly`)
  }
  const events = becomeReady(server, { attempt, at })
  return events.length > 0 ? accept(...events) : notNow(server)
}

/** A game server speaks for the process of its current attempt only. */
export const currentSpawn = (server: GameServer, attempt: number): Decision<never> =>
  server.attempt === attempt ? accept() : notNow(server)

type TokenVerdict = { readonly ok: true; readonly server: GameServer } | ReturnType<typeof reject>

/** Whether a token of one spawn still speaks for its server: while that lives, and until it is started again. */
export function tokenHolds(server: GameServer | undefined, attempt: number): TokenVerdict {
  if (server === undefined || !isLive(server)) return refusedServerToken('its server has ended')
  if (server.attempt !== attempt) return refusedServerToken('its server was started again with another token')
  return { ok: true, server }
}

export const refusedServerToken = (why: string) =>
  reject('INVALID_SESSION_TOKEN', `the game server's token is not valid: ${why}`)

const notNow = (server: GameServer) =>
  reject('INVALID_SERVER_STATE', `server ${server.id} is ${server.status}, or another attempt of it runs`, {
    status: server.status,
  })
