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
  readonly limits: NodeLimits
  readonly capabilities: Orchestrator['capabilities']
  readonly beacons: readonly MachineBeacon[]
}

/** Call of the Orchestrator port that an agent carries out. */
export type AgentCall =
  | { readonly call: 'observe'; readonly of?: string; readonly among?: readonly string[] }
  | { readonly call: 'launch'; readonly spec: LaunchSpec }
  | { readonly call: 'stop'; readonly instanceId: string; readonly graceMs: number }
  | { readonly call: 'forget'; readonly instanceId: string }
  | { readonly call: 'prune' }
  | { readonly call: 'admit'; readonly wish: Omit<RoomWish, 'held'>; readonly held: readonly HeldRoom[] }
  | { readonly call: 'proposePorts'; readonly requests: readonly PortRequest[]; readonly pool?: string }
  | { readonly call: 'keepWarm'; readonly pools: readonly WarmPool[] }
  | { readonly call: 'logs'; readonly instanceId: string; readonly limit: number; readonly since?: Instant }
  | { readonly call: 'prepareImage'; readonly image: string }

/** Call as it is sent. Numbers grow within a session. */
export type WantedCall = AgentCall & { readonly number: number }

/** Answer to the call with this number: the result of the call, or the message of the error that it threw. */
export type AgentAnswer =
  | { readonly number: number; readonly value: JsonValue }
  | { readonly number: number; readonly error: string }

/** Numbered report of an agent. */
export interface ObservedBatch {
  /** Session that the service named when the stream was opened. */
  readonly session: string
  /** Number of the batch; the first of a session is 1. */
  readonly number: number
  readonly answers: readonly AgentAnswer[]
  /** Instances whose state may have changed; an empty id means that capacity became free (`subscribe` of the Orchestrator port). */
  readonly hints: readonly string[]
  /** Load of the machine; absent when the agent cannot measure it. */
  readonly load?: MachineLoad
}
