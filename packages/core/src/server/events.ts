import type { MeteredInterval } from '../billing/usage-sums'
import type { PortMapping } from './game-server'

/** Cause of a stop: a request, the ttl, or the end of the match. */
export type StopCause = 'server_stopped' | 'server_expired' | 'match_ended'

/** How long the process of an attempt ran that was never ready; left out where none was started. */
interface MayHaveRun {
  readonly ran?: MeteredInterval
}

/** Events of a game server. */
export type ServerEvent =
  | {
      readonly type: 'server_launch_attempted'
      readonly nodeId: string
      readonly networkPorts: readonly PortMapping[]
      readonly buildId: string
      readonly buildVersion: number
      readonly admittedAt: number | null
      readonly launchDeadlineAt: number
    }
  /** The platform gave them by itself. */
  | { readonly type: 'server_ports_given'; readonly networkPorts: readonly PortMapping[] }
  /** A waiting server was given to the launch. */
  | { readonly type: 'server_was_warm' }
  | (MayHaveRun & { readonly type: 'server_attempt_failed'; readonly counts: boolean })
  /** The attempt needs a machine that does not answer: its deadline moves. */
  | { readonly type: 'server_launch_postponed'; readonly launchDeadlineAt: number }
  | {
      /** The server joins the waiting line of an orchestrator. */
      readonly type: 'server_waiting'
      readonly orchestrator: string
      readonly until: number
      readonly admittedAt: number | null
    }
  /** A younger one of its line was launched before it. */
  | { readonly type: 'server_passed'; readonly at: number }
  | { readonly type: 'server_running'; readonly at: number }
  | { readonly type: 'server_relaunched'; readonly at: number }
  /** The process by which it was restarted takes players. */
  | { readonly type: 'server_up_again'; readonly at: number }
  | {
      readonly type: 'server_crashed'
      /** How it ended, or that it did not come up, as a clause for a developer. */
      readonly reason: string
      readonly exitCode: number | null
      readonly exitSignal?: string | null
      readonly crashesInARow: number
      readonly relaunchAt: number
    }
  | { readonly type: 'server_restarting'; readonly relaunchAt: number }
  | { readonly type: 'server_ttl_capped'; readonly expiresAt: number }
  | { readonly type: 'server_stopping'; readonly stopReason: string; readonly cause: StopCause }
  | (MayHaveRun & {
      readonly type: 'server_stopped'
      readonly exitCode: number | null
      readonly exitSignal?: string | null
      readonly stopReason: string
      readonly at: number
    })
  | (MayHaveRun & {
      readonly type: 'server_failed'
      /** Where it is another than the status says. */
      readonly cause?: 'build_missing' | 'no_room'
      readonly exitCode: number | null
      readonly exitSignal?: string | null
      readonly stopReason: string
      readonly at: number
    })
