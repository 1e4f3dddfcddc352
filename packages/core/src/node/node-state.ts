import type { ProjectProblem } from '../project/problem'
import type { Comparison } from './comparison'
import type { DomainEventEmitter } from './domain-event-emitter'
import type { HourFigures } from './hour-figures'
import type { KeySets } from './key-sets'
import type { KeyedQueue } from './keyed-queue'
import type { NodeRoom } from './node-room'
import type { PresenceTracker } from './presence-tracker'
import type { SharedAnswers } from './shared-answers'
import type { SilentEndpoints } from './silent-endpoints'
import type { Slots } from './slots'
import type { WarmMeters } from './warm-meters'
import type { WatchedTime } from './watched-time'

/** The state that this process keeps between calls. Each node has its own, and a restart begins with none. */
export interface NodeState {
  /** Events for the listeners of this node, after their commits. */
  readonly events: DomainEventEmitter
  /** The instant since which this process takes calls: silence before it counts against nobody. Set anew as the service opens. */
  servingSince: number
  /** Callers of one thing wait for each other here, so that versions seldom collide within a node. */
  readonly turns: KeyedQueue
  /** Sightings of players and processes on this node. */
  readonly presence: PresenceTracker
  /** Room of this node beside what the records say. */
  readonly room: NodeRoom
  /** Webhooks that let this node wait for nothing. */
  readonly silentEndpoints: SilentEndpoints
  /** Keys of identity providers, as this node knows them. */
  readonly keySets: KeySets
  /** Figures of the last hour of each queue, shared by all questions within a second. */
  readonly hours: SharedAnswers<HourFigures>
  /** The fields of states that a queue's matchmaking reads, as they were within the last second. */
  readonly fieldsRead: SharedAnswers<readonly string[]>
  /** Some of those who wait in a queue, for all who ask within a second. */
  readonly crowds: SharedAnswers<Comparison | undefined>
  /** Reason that holds every party of a queue, shared by all questions within a second. */
  readonly holds: SharedAnswers<'proposal' | 'plan_limit' | null>
  /** Live lobbies of a project, as they were counted within the last second. */
  readonly lobbyCounts: SharedAnswers<number>
  /** Problems of each project, shared by all questions within a few seconds. */
  readonly problems: SharedAnswers<readonly ProjectProblem[]>
  /** Uploads whose bodies this node is reading. */
  readonly uploads: Slots
  /** Logs of game servers that this node is reading. */
  readonly logReads: Slots
  /** Launches of this node whose build is on a machine that does not answer, by their servers, and when each is tried again. */
  readonly launchesAway: Map<string, number>
  /** Builds whose archives this node was asked for and did not see, and when that was. */
  readonly unseenArchives: Map<string, number>
  /** Errors of the last reconciling that this node has logged already. */
  readonly troublesTold: Set<string>
  /** For how long this node has watched those that are restarted. */
  readonly watched: WatchedTime
  /** By scope of a queue's presence, the servers that this node said to wait for its matches. */
  readonly warmSeen: Map<string, ReadonlySet<string>>
  /** Meters of this node's servers that wait for their matches. */
  readonly warmMeters: WarmMeters
  /** Idempotency keys whose first call is under way on this node. */
  readonly inFlight: Set<string>
}
