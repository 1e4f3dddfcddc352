import type { Region } from '../catalog/regions'
import type { Instant } from '../shared/time'
import type { ServerEvent } from './events'
import { type GameServer, isWaiting } from './game-server'
import { decideGiveUpAttempt, isAsSeen, type SeenAttempt } from './launch'

/**
 * A server for which no node has capacity waits in a line. Each orchestrator has one line for each region, in which the oldest server comes
 * first (docs/http-api.md §8). A waiting server has no node and holds no port.
 */

/**
 * Milliseconds for which younger servers may be launched before the first server of a line, when the first does not fit. The time begins
 * when a younger server is launched before it. Afterwards, the first server must be launched next.
 */
export const MAY_PASS_MS = 30_000
/** Milliseconds for which a server is left to the machine that was chosen for it. */
export const PLACED_MS = 2_000

/**
 * Returns the time until which a server may wait: the capacity deadline before its first attempt was admitted, the launch deadline after
 * that.
 */
const waitsUntil = ({ room, launchDeadlineAt }: GameServer): Instant =>
  room === undefined || room.admittedAt !== null ? launchDeadlineAt : room.deadlineAt

/**
 * Puts a server into the waiting line of an orchestrator, because no node has capacity at present, or because `machine` shall start it. A
 * server that is in the line keeps its position.
 */
export function waitForRoom(
  server: GameServer,
  seen: SeenAttempt,
  orchestrator: string,
  machine?: string,
): ServerEvent[] {
  if (!isAsSeen(server, seen) || seen.attemptOpen || isWaiting(server)) return []
  const placed = machine === undefined ? {} : { machine }
  const admittedAt = server.room?.admittedAt ?? null
  return [{ type: 'server_waiting', orchestrator, until: waitsUntil(server), admittedAt, ...placed }]
}

/**
 * Gives up a recorded attempt for which the orchestrator had no capacity, and puts the server back into the line. The attempt does not
 * count. When no other attempt counted, the launch timeout has not begun. The node and the ports of the attempt are free again.
 */
export function decideGiveUpForRoom(server: GameServer, seen: SeenAttempt, orchestrator: string): ServerEvent[] {
  const [given] = decideGiveUpAttempt(server, seen, { counts: false })
  if (given === undefined) return []
  const begun = server.launchAttempts > 1
  const admittedAt = begun ? (server.room?.admittedAt ?? null) : null
  const until = begun ? server.launchDeadlineAt : (server.room?.deadlineAt ?? server.launchDeadlineAt)
  return [given, { type: 'server_waiting', orchestrator, until, admittedAt }]
}

/**
 * Gives up a recorded attempt because its machine cannot start servers, and leaves the server to another machine. The attempt does not count,
 * and the launch timeout goes on.
 */
export function decideLeaveMachine(
  server: GameServer,
  seen: SeenAttempt,
  { orchestrator, machine }: { readonly orchestrator: string; readonly machine: string },
): ServerEvent[] {
  const [given] = decideGiveUpAttempt(server, seen, { counts: false })
  if (given === undefined) return []
  const { launchDeadlineAt: until, room } = server
  return [given, { type: 'server_waiting', orchestrator, until, admittedAt: room?.admittedAt ?? null, machine }]
}

/**
 * Records that a younger server is launched before the first server of a line, which does not fit. The time in which younger servers may go
 * first begins here.
 */
export const passInLine = (first: GameServer, at: Instant): ServerEvent[] =>
  isWaiting(first) && first.room?.passedSince === null ? [{ type: 'server_passed', at }] : []

/** Whether a waiting server is left to another machine, which shall start it. After PLACED_MS every machine may start it. */
export const isLeftTo = ({ room, updatedAt }: GameServer, own: string | undefined, at: Instant): boolean =>
  room?.machine !== undefined && room.machine !== own && at - updatedAt < PLACED_MS

/** Moves a launching server without an open attempt to another region. */
export const rerouteServer = (
  server: GameServer,
  seen: SeenAttempt & Pick<GameServer, 'region'>,
  region: Region,
): ServerEvent[] =>
  isAsSeen(server, seen) && !seen.attemptOpen && server.region === seen.region
    ? [{ type: 'server_rerouted', region }]
    : []

/** Whether younger servers may be launched before this server, the first of its line. */
export const mayBePassed = ({ room }: GameServer, at: Instant): boolean =>
  room === undefined || room.passedSince === null || at - room.passedSince < MAY_PASS_MS

/** Whether server `a` was created before server `b`. Older servers stand first in a line. */
export const isOlder = (a: Pick<GameServer, 'createdAt' | 'id'>, b: Pick<GameServer, 'createdAt' | 'id'>): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)
