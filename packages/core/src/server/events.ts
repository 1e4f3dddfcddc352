import type { MeteredInterval } from '../billing/usage-sums'
import type { Region } from '../catalog/regions'
import type { ServerCrash } from './crash'
import type { PortMapping } from './game-server'

/** Cause of a stop: a request, the end of the server's ttl, or the end of its match. */
export type StopCause = 'server_stopped' | 'server_expired' | 'match_ended'

/** Metered time of an attempt whose process was never ready; absent when the attempt started no process. */
interface MayHaveRun {
  readonly ran?: MeteredInterval
}

/** Crash that the event records; absent when no process crashed. */
interface MayHaveCrashed {
  readonly crash?: ServerCrash
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
  /** The platform assigned these ports after the launch. */
  | { readonly type: 'server_ports_given'; readonly networkPorts: readonly PortMapping[] }
  /** The launch took a warm server: a server that was started in advance. */
  | { readonly type: 'server_was_warm' }
  | (MayHaveRun & MayHaveCrashed & { readonly type: 'server_attempt_failed'; readonly counts: boolean })
  /** The launch deadline moves, because the attempt needs a machine that does not answer. */
  | { readonly type: 'server_launch_postponed'; readonly launchDeadlineAt: number }
  | {
      /** The server joins the waiting line of an orchestrator. */
      readonly type: 'server_waiting'
      readonly orchestrator: string
      readonly until: number
      readonly admittedAt: number | null
      /** Machine that shall start the server; absent when any machine may. */
      readonly machine?: string
    }
  /** The server runs in another region, because no machine serves its own. */
  | { readonly type: 'server_rerouted'; readonly region: Region }
  /** A younger server in the waiting line was launched before this server. */
  | { readonly type: 'server_passed'; readonly at: number }
  | { readonly type: 'server_running'; readonly at: number }
  | { readonly type: 'server_relaunched'; readonly at: number }
  /** The process of a restarted server is ready. */
  | { readonly type: 'server_up_again'; readonly at: number }
  | (MayHaveCrashed & {
      readonly type: 'server_crashed'
      /** Reason of the crash, as a clause for developers: how the process ended, or that it did not become ready. */
      readonly reason: string
      readonly exitCode: number | null
      readonly exitSignal?: string | null
      readonly crashesInARow: number
      readonly relaunchAt: number
    })
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
  | (MayHaveRun &
      MayHaveCrashed & {
        readonly type: 'server_failed'
        /** Cause of the failure, when the status alone does not show the cause. */
        readonly cause?: 'build_missing' | 'no_room'
        readonly exitCode: number | null
        readonly exitSignal?: string | null
        readonly stopReason: string
        readonly at: number
      })
