import { accept, type Decision, reject } from '../shared/decision'
import type { ServerEvent } from './events'
import { canMoveServer } from './evolve'
import { type GameServer, HEALTHY_AFTER_MS, MAX_CRASHES_IN_A_ROW, restartBackoffMs } from './game-server'

/** What the orchestrator saw of a process that ended. */
export interface ObservedExit {
  readonly code: number | null
  readonly signal: string | null
  readonly reason?: string
  readonly at: number
}

/** Code 0 is a normal end; any other exit is a crash, restarted in place where the server asks for it (contract §8). */
export function serverExited(server: GameServer, exit: ObservedExit, at: number): ServerEvent[] {
  const stopReason = server.stopReason ?? describeExit(exit)
  if (server.status === 'stopping') return [{ type: 'server_stopped', exitCode: exit.code, stopReason, at: exit.at }]
  if (exit.code === 0) return [{ type: 'server_stopped', exitCode: 0, stopReason: 'exited with code 0', at: exit.at }]
  const reason = describeExit(exit)
  if (!server.autoRestart) return [{ type: 'server_failed', exitCode: exit.code, stopReason: reason, at: exit.at }]
  const healthy = server.launchedAt !== null && exit.at - server.launchedAt >= HEALTHY_AFTER_MS
  const crashes = healthy ? 1 : server.crashesInARow + 1
  if (crashes > MAX_CRASHES_IN_A_ROW) {
    const stopReason = `crashed ${MAX_CRASHES_IN_A_ROW + 1} times in a row; the last time it ${reason}`
    return [{ type: 'server_failed', exitCode: exit.code, stopReason, at: exit.at }]
  }
  return [
    { type: 'server_crashed', exitCode: exit.code, crashesInARow: crashes, relaunchAt: at + restartBackoffMs(crashes) },
  ]
}

export function describeExit(exit: ObservedExit): string {
  if (exit.reason !== undefined) return exit.reason
  if (exit.signal !== null) return `was ended by ${exit.signal}`
  return exit.code === null ? 'ended unseen' : `exited with code ${exit.code}`
}

/** Ask a live server to stop; asking again changes nothing. */
export function stopServer(server: GameServer, reason: string): ServerEvent[] {
  return canMoveServer(server, 'stop') ? [{ type: 'server_stopping', stopReason: reason }] : []
}

export function restartServer(server: GameServer, at: number): Decision<ServerEvent> {
  if (server.status !== 'running') {
    return reject(
      'INVALID_SERVER_STATE',
      `a server is restarted while it is running; ${server.id} is ${server.status}`,
      {
        status: server.status,
      },
    )
  }
  return accept({ type: 'server_restarting', relaunchAt: at })
}
