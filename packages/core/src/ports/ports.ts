import type { PlanLimits } from '../catalog/plans'
import type { PriceTable } from '../catalog/prices'
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

/** Everything that the service is given from outside, with its settings. Time, ids and chance are ports too, so all of it runs in a simulator. */
export interface Ports {
  readonly storage: Storage
  readonly orchestrator: Orchestrator
  readonly buildStore: BuildStore
  readonly payments: Payments
  readonly peers: Peers
  readonly passwords: Passwords
  readonly guardedFetch: GuardedFetch
  /** Returns the body of a webhook message, as the wire spells it. */
  readonly messageBody: (message: Message) => string
  readonly tokens: Tokens
  readonly playerTokens: PlayerTokens
  readonly clock: Clock
  readonly timers: Timers
  readonly ids: Ids
  readonly random: Random
  readonly logger: Logger
  readonly tracing: Tracing
  /** Told of every commit that lost to another one, for metrics. */
  readonly onConflict: (conflict: CommitConflict) => void
  readonly settings: Settings
}

/** The numbers and names that an installation chooses. */
export interface Settings {
  /** Names this process among those that share the storage; the same after a restart. */
  readonly nodeId: string
  /** Where game servers and uploads reach this service; known once it listens. */
  readonly apiUrl: () => string
  /** Milliseconds from the decision to launch to `running`. */
  readonly launchTimeoutMs: number
  /** Milliseconds that a match waits for room, and for a server that the studio brings. */
  readonly capacityTimeoutMs: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly stopGraceMs: number
  /** Milliseconds of silence after which a node is gone and its game servers with it. */
  readonly nodeLostAfterMs: number
  /** Bytes of one uploaded archive. */
  readonly maxUploadBytes: number
  /** Lobbies that live in one project at once. */
  readonly maxLobbiesPerProject: number
  readonly prices: PriceTable
  /** Which addresses that users name may be called. */
  readonly addressPolicy: AddressPolicy
  /** Limits of accounts that an operator creates. */
  readonly operatorLimits: PlanLimits
}
