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

/** State that this process keeps between calls. Each node has its own, and it starts empty after a restart. */
export interface NodeState {
  /** Domain events for the listeners of this node, emitted after their commits. */
  readonly events: DomainEventEmitter
  /** Instant since which this process accepts calls, set when the service opens. Silence of players before it does not count. */
  servingSince: number
  /** Turns of callers that change the same thing, so that their commits seldom conflict within a node. */
  readonly turns: KeyedQueue
  /** Sightings of players and processes on this node. */
  readonly presence: PresenceTracker
  /** Capacity of this node, as far as the records do not contain it. */
  readonly room: NodeRoom
  /** Webhooks whose endpoints do not answer this node. */
  readonly silentEndpoints: SilentEndpoints
  /** Cached public keys of identity providers. */
  readonly keySets: KeySets
  /** Figures of the last hour of each queue, shared by all questions within a second. */
  readonly hours: SharedAnswers<HourFigures>
  /** Fields of player states that a queue's matchmaking reads, at most a second old. */
  readonly fieldsRead: SharedAnswers<readonly string[]>
  /** Comparison with a sample of the parties that wait in a queue, shared by all questions within a second. */
  readonly crowds: SharedAnswers<Comparison | undefined>
  /** Reason that keeps every party of a queue waiting, shared by all questions within a second. */
  readonly holds: SharedAnswers<'proposal' | 'plan_limit' | null>
  /** Number of live lobbies of a project, at most a second old. */
  readonly lobbyCounts: SharedAnswers<number>
  /** Problems of each project, shared by all questions within three seconds. */
  readonly problems: SharedAnswers<readonly ProjectProblem[]>
  /** Uploads whose bodies this node is reading. */
  readonly uploads: Slots
  /** Logs of game servers that this node is reading. */
  readonly logReads: Slots
  /** Launches whose build is on a machine that does not answer: the instant of the next try, by instance id. */
  readonly launchesAway: Map<string, number>
  /** Builds whose archives this node needed and did not find: the instant of the question, by build id. */
  readonly unseenArchives: Map<string, number>
  /** Errors of the last reconciliation that this node has already logged. */
  readonly troublesTold: Set<string>
  /** Time for which this node has observed each server that is restarting. */
  readonly watched: WatchedTime
  /** Waiting servers that this node reported for the matches of a queue, by the queue's presence scope (`warmScope`). */
  readonly warmSeen: Map<string, ReadonlySet<string>>
  /** Meters of this node's servers that wait for their matches. */
  readonly warmMeters: WarmMeters
  /** Idempotency keys whose first call is running on this node. */
  readonly inFlight: Set<string>
}
