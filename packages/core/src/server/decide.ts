import { accept, type Decision, reject } from '../errors/decision'
import { type Instant, SECOND_MS } from '../shared/time'
import type { ServerEvent, StopCause } from './events'
import { canMoveServer } from './evolve'
import {
  awaitsRelaunch,
  type GameServer,
  HEALTHY_AFTER_MS,
  isComingUp,
  isOwned,
  MAX_CRASHES_IN_A_ROW,
  restartBackoffMs,
  type Spawned,
} from './game-server'
import { asRun, type NeverReady } from './launch'

/** Stop reason of a server whose node did not come back. */
export const NODE_GONE = 'its node is gone'

/** Result of a spawn: `retry` may succeed at another attempt, `final` never will. */
export type SpawnResult =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly reason: 'retry' | 'address_in_use' | 'no_room' | 'away' | 'final'
      readonly message: string
    }

/** Observed exit of a process. */
export interface ObservedExit {
  readonly code: number | null
  readonly signal: string | null
  readonly reason?: string
  readonly at: number
}

/**
 * Decides on the end of an attempt's process. Exit code 0 is a normal end; any other exit is a crash, followed by a restart in place when
 * the server has `autoRestart` (docs/http-api.md §8). The end of an earlier attempt changes nothing.
 */
export function decideProcessEnded(
  server: GameServer,
  { attempt, exit, at, ran }: { attempt: number; exit: ObservedExit; at: Instant; ran?: NeverReady | undefined },
): ServerEvent[] {
  const counts = server.attempt === attempt && (server.status === 'running' || server.status === 'stopping')
  return counts ? serverExited(server, exit, at, ran) : []
}

function serverExited(server: GameServer, exit: ObservedExit, at: Instant, ran?: NeverReady): ServerEvent[] {
  const stopReason = server.stopReason ?? describeExit(exit)
  if (server.status === 'stopping')
    return [{ type: 'server_stopped', ...exitOf(exit), stopReason, at: exit.at, ...asRun(server, ran) }]
  if (exit.code === 0) return [{ type: 'server_stopped', exitCode: 0, stopReason: 'exited with code 0', at: exit.at }]
  const reason = describeExit(exit)
  if (!server.autoRestart) return [{ type: 'server_failed', ...exitOf(exit), stopReason: reason, at: exit.at }]
  const crashes = wasHealthy(server, exit) ? 1 : server.crashesInARow + 1
  if (crashes > MAX_CRASHES_IN_A_ROW) {
    const stopReason = `crashed ${MAX_CRASHES_IN_A_ROW + 1} times in a row; the last time it ${reason}`
    return [{ type: 'server_failed', ...exitOf(exit), stopReason, at: exit.at }]
  }
  return [
    {
      type: 'server_crashed',
      reason,
      ...exitOf(exit),
      crashesInARow: crashes,
      relaunchAt: at + restartBackoffMs(crashes),
    },
  ]
}

const exitOf = ({ code, signal }: ObservedExit) => ({
  exitCode: code,
  ...(signal === null ? {} : { exitSignal: signal }),
})

/** Whether a server was up long enough before its exit. A server that was never ready was not healthy, however long that took. */
function wasHealthy(server: GameServer, exit: ObservedExit): boolean {
  if (awaitsRelaunch(server) || isComingUp(server) || server.launchedAt === null) return false
  return exit.at - server.launchedAt >= HEALTHY_AFTER_MS
}

export function describeExit(exit: ObservedExit): string {
  if (exit.reason !== undefined) return exit.reason
  if (exit.signal !== null) return `was ended by ${exit.signal}`
  return exit.code === null ? 'ended, and its exit code is unknown' : `exited with code ${exit.code}`
}

/** Decides to stop a live server; a second request changes nothing. */
export function decideStopServer(server: GameServer, stopReason: string, cause: StopCause): ServerEvent[] {
  return canMoveServer(server, 'stop') ? [{ type: 'server_stopping', stopReason, cause }] : []
}

/** Decides to stop a server whose ttl is over. */
export function decideExpireServer(server: GameServer, at: Instant): ServerEvent[] {
  return server.expiresAt !== null && server.expiresAt <= at
    ? decideStopServer(server, 'reached its ttl', 'server_expired')
    : []
}

/** Latest end of a server that is older than a change of the account's plan, by the limit of the new plan (docs/http-api.md §3). */
export interface TtlCap {
  /** Time of the plan's change: the cap applies to servers created before it. */
  readonly before: Instant
  readonly expiresAt: Instant
}

/** Whether a server would end later than a cap allows. A server that is stopping needs no cap. */
export const outlives = (server: GameServer, cap: TtlCap): boolean =>
  canMoveServer(server, 'stop') &&
  server.createdAt < cap.before &&
  (server.expiresAt === null || server.expiresAt > cap.expiresAt)

export const capTtl = (server: GameServer, cap: TtlCap): ServerEvent[] =>
  outlives(server, cap) ? [{ type: 'server_ttl_capped', expiresAt: cap.expiresAt }] : []

/** Ends the attempt of a server whose node is gone, at the time of its last sighting (docs/http-api.md §3). */
export function loseNode(
  server: GameServer,
  lost: Spawned & { readonly at: Instant },
  ran?: NeverReady,
): ServerEvent[] {
  if (!isOwned(server) || server.nodeId !== lost.nodeId || server.attempt !== lost.attempt) return []
  // A pending launch moves to another node.
  if (server.status === 'launching') return [{ type: 'server_attempt_failed', counts: false, ...asRun(server, ran) }]
  const end = { exitCode: null, stopReason: server.stopReason ?? NODE_GONE, at: lost.at, ...asRun(server, ran) }
  return [{ type: server.status === 'stopping' ? 'server_stopped' : 'server_failed', ...end }]
}

export function decideRestartServer(server: GameServer, at: Instant): Decision<ServerEvent> {
  if (server.status === 'running') return accept({ type: 'server_restarting', relaunchAt: at })
  const detail = `only a running server can be restarted; ${server.id} is ${server.status}`
  return reject('INVALID_SERVER_STATE', detail, { status: server.status })
}

/** Decides on the spawn of a restarted server's next process: it runs, it counts as a crash, or the server fails for good. */
export function relaunched(
  server: GameServer,
  { attempt, result, at }: { attempt: number; result: SpawnResult; at: Instant },
): ServerEvent[] {
  // The server may have reported ready before its spawn was recorded.
  if (server.attempt !== attempt || !awaitsRelaunch(server)) return []
  if (result.ok) return [{ type: 'server_relaunched', at }]
  const exit = { code: null, signal: null, reason: result.message, at }
  if (result.reason !== 'final') return serverExited(server, exit, at)
  return [{ type: 'server_failed', exitCode: null, stopReason: describeExit(exit), at }]
}

/**
 * Counts a crash when the process of a restarted server is not ready within the launch timeout. `lacks` names the missing conditions, if
 * the platform knows them. Nothing changes when the server became ready meanwhile, or its record does not await a start.
 */
export function failedToComeUp(
  server: GameServer,
  { attempt, withinMs, lacks, at }: { attempt: number; withinMs: number; lacks: string | undefined; at: Instant },
): ServerEvent[] {
  if (server.attempt !== attempt || !isComingUp(server)) return []
  const why = lacks === undefined ? '' : `: ${lacks}`
  const reason = `was not ready within ${withinMs / SECOND_MS} s of its restart${why}`
  return serverExited(server, { code: null, signal: null, reason, at }, at)
}
