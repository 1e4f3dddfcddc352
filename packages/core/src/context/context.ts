import type { Explanation } from '@matchyard/matchmaking'
import type { PlanLimits } from '../catalog/plans'
import type { PriceTable } from '../catalog/prices'
import type { QueueTicket } from '../lobby/queue-ticket'
import type { BuildStore } from '../ports/build-store'
import type { Clock, Timers } from '../ports/clock'
import type { AddressPolicy, GuardedFetch } from '../ports/guarded-fetch'
import type { Ids } from '../ports/ids'
import type { Logger } from '../ports/logger'
import type { Orchestrator } from '../ports/orchestrator'
import type { Passwords } from '../ports/passwords'
import type { Payments } from '../ports/payments'
import type { Peers } from '../ports/peers'
import type { PlayerTokens } from '../ports/player-tokens'
import type { Random } from '../ports/random'
import type { CommitConflict, Storage } from '../ports/storage/index'
import type { Tokens } from '../ports/tokens'
import type { TraceParent, Tracing } from '../ports/tracing'
import type { Message } from '../webhook/message'
import type { DomainEventEmitter } from './domain-event-emitter'
import type { HourFigures } from './hour-figures'
import type { KeySets } from './key-sets'
import type { KeyedQueue } from './keyed-queue'
import type { NodeRoom } from './node-room'
import type { PresenceTracker } from './presence-tracker'
import type { ProjectProblem } from './problem'
import type { SharedAnswers } from './shared-answers'
import type { SilentEndpoints } from './silent-endpoints'
import type { Slots } from './slots'
import type { WarmMeters } from './warm-meters'
import type { WatchedTime } from './watched-time'

/** What the service leans on. Time, ids and chance are ports too, so the whole of it runs in a simulator. */
export interface Ports {
  readonly storage: Storage
  readonly orchestrator: Orchestrator
  readonly buildStore: BuildStore
  readonly payments: Payments
  readonly peers: Peers
  readonly passwords: Passwords
  readonly guardedFetch: GuardedFetch
  /** What is sent to webhooks, as the wire has it. */
  readonly messageBody: (message: Message) => string
  readonly tokens: Tokens
  readonly playerTokens: PlayerTokens
  readonly clock: Clock
  readonly timers: Timers
  readonly ids: Ids
  readonly random: Random
  readonly logger: Logger
  readonly tracing: Tracing
}

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
  /** What accounts that an operator makes may do. */
  readonly operatorLimits: PlanLimits
}

/** What every use case holds. */
export interface Context extends Ports {
  readonly settings: Settings
  readonly events: DomainEventEmitter
  /** Since when this process takes calls: silence before it counts for nobody. */
  readonly servingSince: number
  /** Callers of one thing wait for each other here, so that versions seldom collide within a node. */
  readonly turns: KeyedQueue
  readonly presence: PresenceTracker
  readonly room: NodeRoom
  /** Webhooks that let this node wait for nothing. */
  readonly silentEndpoints: SilentEndpoints
  /** Keys of identity providers, as this node knows them. */
  readonly keySets: KeySets
  /** What the last hour of a queue was like, for all who ask within a second. */
  readonly hours: SharedAnswers<HourFigures>
  /** The fields of states that a queue's matchmaking reads, as they were within the last second. */
  readonly fieldsRead: SharedAnswers<readonly string[]>
  /** Some of those who wait in a queue, for all who ask within a second. */
  readonly crowds: SharedAnswers<Comparison | undefined>
  /** What holds everybody in a queue, for all who ask within a second. */
  readonly holds: SharedAnswers<'proposal' | 'plan_limit' | null>
  /** Live lobbies of a project, as they were counted within the last second. */
  readonly lobbyCounts: SharedAnswers<number>
  /** What is wrong in a project, for all who ask within a few seconds. */
  readonly problems: SharedAnswers<readonly ProjectProblem[]>
  /** Told of every commit that lost to another one, for metrics. */
  readonly onConflict: (conflict: CommitConflict) => void
  /** Uploads whose bodies this node is reading. */
  readonly uploads: Slots
  readonly logReads: Slots
  /** Launches of this node whose build is on a machine that does not answer, by their servers, and when each is tried again. */
  readonly launchesAway: Map<string, number>
  /** Builds whose archives this node was asked for and did not see, and when that was. */
  readonly unseenArchives: Map<string, number>
  /** For how long this node has watched those that are restarted. */
  readonly watched: WatchedTime
  /** By scope of a queue's presence, the servers that this node said to wait for its matches. */
  readonly warmSeen: Map<string, ReadonlySet<string>>
  /** What this node meters of servers that wait for their matches. */
  readonly warmMeters: WarmMeters
  /** Idempotency keys whose first call is under way on this node. */
  readonly inFlight: Set<string>
}

/** Tells how a ticket compares with others of its queue. */
export interface Comparison {
  explain(ticket: QueueTicket): Explanation
}

/** What comes with a call beside its input. */
export interface CallOptions {
  /**
   * An idempotency key, already scoped to credential, player and route, and a hash of the request. What is kept for its `owner`, and
   * for the `group` that the owner is of, has bounds; the calls that name no owner share those of one.
   */
  readonly idempotency?: {
    readonly id: string
    readonly requestHash: string
    readonly owner?: string
    readonly group?: string
  }
  /** Told before a repeated call is answered: with its kept answer, or, where that was too long to be kept, from the present state. */
  readonly onReplay?: (from: 'recorded' | 'current') => void
  /** The place in a trace of which the call is a part (W3C `traceparent`): what follows from it, on any node, is told there. */
  readonly trace?: TraceParent | undefined
  /** Where the call came from, for its share of the hands that hash passwords. Default: whoever runs the installation. */
  readonly from?: CallOrigin | undefined
}

export interface CallOrigin {
  /** The network address, or the part of it that counts as one. */
  readonly address: string
  /** Whether the same account signed in from there before. */
  readonly isReturning?: boolean
}
