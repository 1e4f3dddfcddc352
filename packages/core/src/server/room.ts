import type { Instant } from '../shared/time'
import type { ServerEvent } from './events'
import { type GameServer, isWaiting } from './game-server'
import { decideGiveUpAttempt, isAsSeen, type SeenAttempt } from './launch'

/*
 * A server for which no node has room waits in a line, one for each orchestrator and region, oldest first (docs/http-api.md §8).
 * While it waits it is bound to no node and holds no port.
 */

/** For so long after the first of a line was first passed, younger ones that fit where it does not may pass it; then it has its turn. */
export const MAY_PASS_MS = 30_000

/** Until when it may wait: as long as no attempt was admitted, the capacity timeout's end; else its launch timeout runs on. */
const waitsUntil = ({ room, launchDeadlineAt }: GameServer): Instant =>
  room === undefined || room.admittedAt !== null ? launchDeadlineAt : room.deadlineAt

/** Puts a server into the waiting line of an orchestrator, because no node has capacity now. A server in the line keeps its place. */
export function waitForRoom(server: GameServer, seen: SeenAttempt, orchestrator: string): ServerEvent[] {
  if (!isAsSeen(server, seen) || seen.attemptOpen || isWaiting(server)) return []
  return [
    { type: 'server_waiting', orchestrator, until: waitsUntil(server), admittedAt: server.room?.admittedAt ?? null },
  ]
}

/**
 * The orchestrator had no room for an attempt that was recorded: it does not count, and where none has counted the launch has not
 * begun. Node and ports are free again.
 */
export function decideGiveUpForRoom(server: GameServer, seen: SeenAttempt, orchestrator: string): ServerEvent[] {
  const [given] = decideGiveUpAttempt(server, seen, false)
  if (given === undefined) return []
  const begun = server.launchAttempts > 1
  const admittedAt = begun ? (server.room?.admittedAt ?? null) : null
  const until = begun ? server.launchDeadlineAt : (server.room?.deadlineAt ?? server.launchDeadlineAt)
  return [given, { type: 'server_waiting', orchestrator, until, admittedAt }]
}

/** A younger one is launched before it, where this first of the line does not fit: from the first time on its patience is counted. */
export const passInLine = (first: GameServer, at: Instant): ServerEvent[] =>
  isWaiting(first) && first.room?.passedSince === null ? [{ type: 'server_passed', at }] : []

/** Whether the first of a line may be passed now. */
export const mayBePassed = ({ room }: GameServer, at: Instant): boolean =>
  room === undefined || room.passedSince === null || at - room.passedSince < MAY_PASS_MS

/** Which of two was made first: their places in a line. */
export const isOlder = (a: Pick<GameServer, 'createdAt' | 'id'>, b: Pick<GameServer, 'createdAt' | 'id'>): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)
