import type { Region } from '../catalog/regions'
import type { MachineBeacon } from '../machine/beacon'
import type { NodeLimits } from '../machine/limits'
import type { MachineLoad } from '../machine/machine'
import type { HeldRoom, LaunchSpec, Orchestrator, RoomWish, WarmPool } from '../ports/orchestrator'
import type { PortRequest } from '../server/game-server'
import type { JsonValue } from '../shared/json'
import type { Instant } from '../shared/time'

/**
 * Protocol between the service and an agent. An agent runs the game servers of one machine. The service sends calls of the Orchestrator port
 * over a stream that the agent opened; the agent sends answers in numbered batches. Every call may be carried out again, so the service sends
 * each call without an answer again on the next stream, and a repeated batch changes nothing.
 */

/** Properties of a machine and its agent that the agent tells when it opens its stream. */
export interface AgentFacts {
  /** Id of the agent, which stays the same when the agent restarts on its machine. A second agent with the same token has another id. */
  readonly agentId: string
  /** Version of the agent; null when unknown. */
  readonly release: string | null
  /** Regions in which the machine runs servers, in order of preference. */
  readonly regions: readonly Region[]
  /** Address at which players reach the game servers of the machine. */
  readonly host: string
  /** Limits of the game servers that run on the machine at the same time. */
  readonly limits: NodeLimits
  /** Capabilities of the agent's orchestrator. */
  readonly capabilities: Orchestrator['capabilities']
  /** Beacons at which players' clients measure their latency to the machine. */
  readonly beacons: readonly MachineBeacon[]
}

/** Observation of the game servers of a machine (`observe`). */
export interface ObserveCall {
  /** Name of the call. */
  readonly call: 'observe'
  /** Instance whose present state the answer contains; absent for all instances. */
  readonly of?: string
  /** Instances to which the answer may be limited; absent for all instances. */
  readonly among?: readonly string[]
}

/** Launch of a game server (`launch`). */
export interface LaunchCall {
  /** Name of the call. */
  readonly call: 'launch'
  /** Launch, with the environment of the game server. */
  readonly spec: LaunchSpec
}

/** Stop of a game server (`stop`). */
export interface StopCall {
  /** Name of the call. */
  readonly call: 'stop'
  /** Instance to stop. */
  readonly instanceId: string
  /** Milliseconds from SIGTERM to SIGKILL. */
  readonly graceMs: number
}

/** Removal of the resources of an ended game server (`forget`). */
export interface ForgetCall {
  /** Name of the call. */
  readonly call: 'forget'
  /** Instance whose resources are removed. */
  readonly instanceId: string
}

/** Removal of the local files of deleted builds (`prune`). */
export interface PruneCall {
  /** Name of the call. */
  readonly call: 'prune'
}

/** Question whether one more game server fits on the machine (`admit`). */
export interface AdmitCall {
  /** Name of the call. */
  readonly call: 'admit'
  /** Game server that needs capacity. */
  readonly wish: Omit<RoomWish, 'held'>
  /** Recorded servers that hold capacity on the machine. */
  readonly held: readonly HeldRoom[]
}

/** Proposal of free ports (`proposePorts`). */
export interface ProposePortsCall {
  /** Name of the call. */
  readonly call: 'proposePorts'
  /** Ports that the game server requests. */
  readonly requests: readonly PortRequest[]
  /** Key of the pool whose waiting server the launch would take; absent without a pool. */
  readonly pool?: string
}

/** Adjustment of the pools of waiting servers (`keepWarm`). */
export interface KeepWarmCall {
  /** Name of the call. */
  readonly call: 'keepWarm'
  /** All wanted pools. */
  readonly pools: readonly WarmPool[]
}

/** Read of the log of a game server (`logs`). */
export interface LogsCall {
  /** Name of the call. */
  readonly call: 'logs'
  /** Instance whose log is read. */
  readonly instanceId: string
  /** Maximum number of lines; the newest lines are returned. */
  readonly limit: number
  /** Instant of the oldest line; absent without such a bound. */
  readonly since?: Instant
}

/** Check of a container image (`prepareImage`). */
export interface PrepareImageCall {
  /** Name of the call. */
  readonly call: 'prepareImage'
  /** Reference of the image. */
  readonly image: string
}

/** Call of the Orchestrator port that an agent carries out. */
export type AgentCall =
  | ObserveCall
  | LaunchCall
  | StopCall
  | ForgetCall
  | PruneCall
  | AdmitCall
  | ProposePortsCall
  | KeepWarmCall
  | LogsCall
  | PrepareImageCall

/** Number of a call within a session. */
export interface NumberedCall {
  /** Number of the call. Numbers grow within a session. */
  readonly number: number
}

/** Call as it is sent. */
export type WantedCall = AgentCall & NumberedCall

/** Result of a call. */
export interface CallResult extends NumberedCall {
  /** Result as JSON; null for a call without a result. */
  readonly value: JsonValue
}

/** Failure of a call. */
export interface CallError extends NumberedCall {
  /** Message of the error that the call threw. */
  readonly error: string
}

/** Answer to the call with this number. */
export type AgentAnswer = CallResult | CallError

/** Numbered report of an agent. */
export interface ObservedBatch {
  /** Session that the service named when the stream was opened. */
  readonly session: string
  /** Number of the batch; the first of a session is 1. */
  readonly number: number
  /** Results and errors of calls, each with the number of its call. */
  readonly answers: readonly AgentAnswer[]
  /** Instances whose state may have changed; an empty id means that capacity became free (`subscribe` of the Orchestrator port). */
  readonly hints: readonly string[]
  /** Load of the machine; absent when the agent cannot measure it. */
  readonly load?: MachineLoad
}
