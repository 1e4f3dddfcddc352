import { accept, type Decision, reject } from '../errors/decision'
import { type Instant, SECOND_MS } from '../shared/time'
import type { ServerCrash } from './crash'
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

/** Stop reason of a server whose node was lost and did not return. */
export const NODE_GONE = 'its node is gone'

/** Result of a spawn. `retry`: another attempt may succeed. `final`: no attempt can succeed. */
export type SpawnResult =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly reason: 'retry' | 'address_in_use' | 'no_room' | 'away' | 'machine' | 'final'
      readonly message: string
    }

/** Observed exit of a process. */
export interface ObservedExit {
  readonly code: number | null
  readonly signal: string | null
  readonly reason?: string
  readonly at: number
}

/** Facts about the end of a process that not every end has. */
interface EndFacts {
  readonly ran?: NeverReady | undefined
  /** Report of the crash; absent when no process crashed. */
  readonly crash?: ServerCrash | undefined
}

/** End of the process of one attempt. */
interface ProcessEnd extends EndFacts {
  readonly attempt: number
  readonly exit: ObservedExit
  readonly at: Instant
}

/**
 * Decides what follows when the process of an attempt ends. Exit code 0 is a normal end. Any other exit is a crash; a server with
 * `autoRestart` is then restarted in place (docs/http-api.md §8). The end of an earlier attempt's process changes nothing.
 */
export function decideProcessEnded(server: GameServer, { attempt, exit, at, ...more }: ProcessEnd): ServerEvent[] {
  const counts = server.attempt === attempt && (server.status === 'running' || server.status === 'stopping')
  return counts ? serverExited(server, exit, at, more) : []
}

/** Whether the end of a server's process is a crash: nobody asked the server to stop, and its exit code is not 0. */
export const isCrash = (server: GameServer, exit: ObservedExit): boolean =>
  server.status !== 'stopping' && exit.code !== 0

function serverExited(
  server: GameServer,
  exit: ObservedExit,
  at: Instant,
  { ran, crash }: EndFacts = {},
): ServerEvent[] {
  const stopReason = server.stopReason ?? describeExit(exit)
  if (server.status === 'stopping')
    return [{ type: 'server_stopped', ...exitOf(exit), stopReason, at: exit.at, ...asRun(server, ran) }]
  if (exit.code === 0) return [{ type: 'server_stopped', exitCode: 0, stopReason: 'exited with code 0', at: exit.at }]
  const reason = describeExit(exit)
  const how = { ...exitOf(exit), ...(crash === undefined ? {} : { crash }) }
  if (!server.autoRestart) return [{ type: 'server_failed', ...how, stopReason: reason, at: exit.at }]
  const crashes = wasHealthy(server, exit) ? 1 : server.crashesInARow + 1
  if (crashes > MAX_CRASHES_IN_A_ROW) {
    const stopReason = `crashed ${MAX_CRASHES_IN_A_ROW + 1} times in a row; the last time it ${reason}`
    return [{ type: 'server_failed', ...how, stopReason, at: exit.at }]
  }
  return [
    {
      type: 'server_crashed',
      reason,
      ...how,
      crashesInARow: crashes,
      relaunchAt: at + restartBackoffMs(crashes),
    },
  ]
}

const exitOf = ({ code, signal }: ObservedExit) => ({
  exitCode: code,
  ...(signal === null ? {} : { exitSignal: signal }),
})

/** Whether the machine could not set up the sandbox, so that the program of the game server never ran. */
export const isWithoutSandbox = ({ reason }: ObservedExit): boolean => reason === 'no_sandbox'

/** Whether a server was ready long enough before its exit. A server that was never ready was not healthy, however long its process ran. */
function wasHealthy(server: GameServer, exit: ObservedExit): boolean {
  if (awaitsRelaunch(server) || isComingUp(server) || server.launchedAt === null) return false
  return exit.at - server.launchedAt >= HEALTHY_AFTER_MS
}

export function describeExit(exit: ObservedExit): string {
  if (isWithoutSandbox(exit)) return 'did not start, because the sandbox of the machine could not be set up'
  if (exit.reason !== undefined) return exit.reason
  if (exit.signal !== null) return `was ended by ${exit.signal}`
  return exit.code === null ? 'ended, and its exit code is unknown' : `exited with code ${exit.code}`
}

/** Decides to stop a live server. A second request changes nothing. */
export function decideStopServer(server: GameServer, stopReason: string, cause: StopCause): ServerEvent[] {
  return canMoveServer(server, 'stop') ? [{ type: 'server_stopping', stopReason, cause }] : []
}

/** Decides to stop a server whose time to live (ttl) is over. */
export function decideExpireServer(server: GameServer, at: Instant): ServerEvent[] {
  return server.expiresAt !== null && server.expiresAt <= at
    ? decideStopServer(server, 'reached its ttl', 'server_expired')
    : []
}

/** Latest end that the limit of a new plan allows for servers that are older than the change of the plan (docs/http-api.md §3). */
export interface TtlCap {
  /** Time of the change of the plan. The cap applies to servers created before it. */
  readonly before: Instant
  readonly expiresAt: Instant
}

/** Whether a server would end later than the cap allows. False for a server that is already stopping. */
export const outlives = (server: GameServer, cap: TtlCap): boolean =>
  canMoveServer(server, 'stop') &&
  server.createdAt < cap.before &&
  (server.expiresAt === null || server.expiresAt > cap.expiresAt)

export const capTtl = (server: GameServer, cap: TtlCap): ServerEvent[] =>
  outlives(server, cap) ? [{ type: 'server_ttl_capped', expiresAt: cap.expiresAt }] : []

/** Ends the attempt of a server whose node is lost, at the time when the server was last seen (docs/http-api.md §3). */
export function loseNode(
  server: GameServer,
  lost: Spawned & { readonly at: Instant },
  ran?: NeverReady,
): ServerEvent[] {
  if (!isOwned(server) || server.nodeId !== lost.nodeId || server.attempt !== lost.attempt) return []
  // A launch that is not complete is attempted again on another node.
  if (server.status === 'launching') return [{ type: 'server_attempt_failed', counts: false, ...asRun(server, ran) }]
  const end = { exitCode: null, stopReason: server.stopReason ?? NODE_GONE, at: lost.at, ...asRun(server, ran) }
  return [{ type: server.status === 'stopping' ? 'server_stopped' : 'server_failed', ...end }]
}

export function decideRestartServer(server: GameServer, at: Instant): Decision<ServerEvent> {
  if (server.status === 'running') return accept({ type: 'server_restarting', relaunchAt: at })
  const detail = `only a running server can be restarted; ${server.id} is ${server.status}`
  return reject('INVALID_SERVER_STATE', detail, { status: server.status })
}

/** Decides on the spawn of a restarted server's next process. The process runs, or the spawn counts as a crash, or the server fails. */
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
 * the platform reports them. Nothing changes when the server has become ready meanwhile, or when its record no longer awaits a start.
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
