import type { PlanLimits } from '../catalog/plans'
import type { PriceTable } from '../catalog/prices'
import type { Region } from '../catalog/regions'
import type { MachineBeacon } from '../machine/beacon'
import type { MachineLoad, Placement, RegionFallback } from '../machine/machine'
import type { MachineKind } from '../machine/record'
import type { Message } from '../webhook/message'
import type { BuildStore } from './build-store'
import type { Clock, Timers } from './clock'
import type { AddressPolicy, GuardedFetch } from './guarded-fetch'
import type { Ids } from './ids'
import type { Logger } from './logger'
import type { Orchestrator } from './orchestrator'
import type { Passwords } from './passwords'
import type { Payments } from './payments'
import type { Peers } from './peers'
import type { PlayerTokens } from './player-tokens'
import type { Random } from './random'
import type { CommitConflict, Storage } from './storage/index'
import type { Tokens } from './tokens'
import type { Tracing } from './tracing'

/** All ports and settings of the service. Time, ids and random numbers are ports too, so that the service can run in a simulator. */
export interface Ports {
  readonly storage: Storage
  readonly orchestrator: Orchestrator
  readonly buildStore: BuildStore
  readonly payments: Payments
  readonly peers: Peers
  readonly passwords: Passwords
  readonly guardedFetch: GuardedFetch
  /** Returns the body of a webhook message, in the format that is sent to endpoints. */
  readonly messageBody: (message: Message) => string
  readonly tokens: Tokens
  readonly playerTokens: PlayerTokens
  readonly clock: Clock
  readonly timers: Timers
  readonly ids: Ids
  readonly random: Random
  readonly logger: Logger
  readonly tracing: Tracing
  /** Called for every commit that was refused because of another commit; used for metrics. */
  readonly onConflict: (conflict: CommitConflict) => void
  readonly settings: Settings
}

/** Properties of a node's machine that only the program around the service knows. */
export interface MachineSettings {
  /** Name of the machine for operators. Default: the node's name. */
  readonly name?: string | undefined
  /** Kind of the machine. Default: `node`, or `cluster` when several nodes share the orchestrator. */
  readonly kind?: MachineKind | undefined
  /** Returns the session by which this node hosts the machine of an agent. Default: the machine is this node's own. */
  readonly session?: (() => string) | undefined
  /** Address at which players reach the game servers of the machine. */
  readonly host?: string | undefined
  /** Version of the software that runs the service. */
  readonly release?: string | undefined
  /** Measures the load of the machine. */
  readonly load?: (() => MachineLoad | undefined) | undefined
  /** Beacons at which players' clients measure their latency to the machine. Default: none. */
  readonly beacons?: readonly MachineBeacon[] | undefined
}

/** Settings of an installation. */
export interface Settings {
  /** Name of this process among the processes that share the storage. It must be the same after a restart. */
  readonly nodeId: string
  /** Returns the URL at which game servers and uploads reach this service; known once the service listens. */
  readonly apiUrl: () => string
  /** Maximum milliseconds from the decision to launch a server until it is `running`. */
  readonly launchTimeoutMs: number
  /** Maximum milliseconds that a match waits for capacity, and for a server that the studio assigns. */
  readonly capacityTimeoutMs: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly stopGraceMs: number
  /** Milliseconds without a heartbeat after which a node counts as lost, and its game servers too. */
  readonly nodeLostAfterMs: number
  /** Milliseconds for which a node that stopped on purpose may be away before its game servers count as lost. */
  readonly machineAwayMs: number
  /** Maximum bytes of one uploaded archive. */
  readonly maxUploadBytes: number
  /** Maximum number of live lobbies in one project. */
  readonly maxLobbiesPerProject: number
  /** Days for which ended matches are kept. */
  readonly matchRetentionDays: number
  /** Hours for which the build store keeps the logs of ended game servers; 0: no log is kept. */
  readonly logRetentionHours: number
  /** Regions whose servers this node runs, in the order of preference. An orchestrator with its own regions has precedence. */
  readonly regions: readonly Region[]
  /** Properties of this node's machine. */
  readonly machine: MachineSettings
  /** Effect of a region without a machine. */
  readonly regionFallback: RegionFallback
  /** How a machine is chosen for a server. */
  readonly placement: Placement
  readonly prices: PriceTable
  /** Policy for calls to addresses that customers configure. */
  readonly addressPolicy: AddressPolicy
  /** Limits of accounts on the operator's own plan (`self_hosted`). */
  readonly operatorLimits: PlanLimits
}
