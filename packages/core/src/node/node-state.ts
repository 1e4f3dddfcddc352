import type { AccountCosts } from '../billing/spending'
import type { ServedRegion } from '../machine/beacon'
import type { ProjectProblem } from '../project/problem'
import type { Comparison } from './comparison'
import type { NodeConsumers } from './consumers'
import type { DomainEventEmitter } from './domain-event-emitter'
import type { HourFigures } from './hour-figures'
import type { KeySets } from './key-sets'
import type { KeyedQueue } from './keyed-queue'
import type { MachineView } from './machine-view'
import type { NodeRoom } from './node-room'
import type { OwnMachineState } from './own-machine-state'
import type { RunningPlace } from './place'
import type { PresenceTracker } from './presence-tracker'
import type { RefusalCounts } from './refusal-counts'
import type { SharedAnswers } from './shared-answers'
import type { SilentEndpoints } from './silent-endpoints'
import type { Slots } from './slots'
import type { WarmMeters } from './warm-meters'
import type { WatchedTime } from './watched-time'

/** State that this process keeps between calls, in memory. Each node has its own state, and it is empty after a restart. */
export interface NodeState {
  /** Domain events for the listeners on this node, emitted after the commits of this node. */
  readonly events: DomainEventEmitter
  /**
   * Instant since which this process accepts calls, set when the service opens. Time in which players were silent before this instant does
   * not count.
   */
  servingSince: number
  /** Handlers of consumers that run on this node. */
  readonly consumers: NodeConsumers
  /** Queue in which callers that change the same object run one after the other, so that their commits seldom conflict within a node. */
  readonly turns: KeyedQueue
  /** Tracks when players and processes were last seen on this node. */
  readonly presence: PresenceTracker
  /** Capacity of this node that the records in the storage do not show. */
  readonly room: NodeRoom
  /** Machines of the installation and the regions that they serve. */
  readonly machines: MachineView
  /** State of the machine on which this node runs servers. */
  readonly own: OwnMachineState
  /** Webhooks whose endpoints do not answer this node. */
  readonly silentEndpoints: SilentEndpoints
  /** Cached public keys of identity providers. */
  readonly keySets: KeySets
  /** Figures of the last hour of each queue, computed at most once a second for all callers. */
  readonly hours: SharedAnswers<HourFigures>
  /** Fields of player states that a queue's matchmaking reads; the cached list is at most a second old. */
  readonly fieldsRead: SharedAnswers<readonly string[]>
  /** Comparison of tickets with a sample of the parties that wait in each queue, computed at most once a second for all callers. */
  readonly crowds: SharedAnswers<Comparison | undefined>
  /** Reason, if any, that keeps every party of a queue waiting, read at most once a second for all callers. */
  readonly holds: SharedAnswers<'proposal' | 'plan_limit' | null>
  /** Number of live lobbies of a project; the cached number is at most a second old. */
  readonly lobbyCounts: SharedAnswers<number>
  /** Problems of each project, computed at most once every three seconds for all callers. */
  readonly problems: SharedAnswers<readonly ProjectProblem[]>
  /** Costs of the projects of each account in this month, read at most once a minute for all callers. */
  readonly spending: SharedAnswers<AccountCosts>
  /** Served regions with their beacons, read at most once a second for all callers. */
  readonly regions: SharedAnswers<readonly ServedRegion[]>
  /** Parts of series of the history that are stored, by series, owner and day (`rolledUp`). */
  readonly historyParts: Map<string, ReadonlySet<string>>
  /** Number of rows of minutes that this node has seen removed before they were rolled up (`countDropped`). */
  readonly historyDropped: { count: number }
  /** Refused calls on this node that are not written to the history yet. */
  readonly refusals: RefusalCounts
  /** Uploads whose bodies this node is reading. */
  readonly uploads: Slots
  /** Logs of game servers that this node is reading. */
  readonly logReads: Slots
  /** Launches that wait because the machine with their build does not answer: the instant of the next try, by instance id. */
  readonly launchesAway: Map<string, number>
  /** Builds whose archives this node needed and did not find: the instant of the last look-up, by build id. */
  readonly unseenArchives: Map<string, number>
  /** Errors of the last reconciliation that this node has logged, so that it does not log them again. */
  readonly troublesTold: Set<string>
  /** Strays that this node has logged: the instant of the line, by the instance and the machine in its record. */
  readonly straysTold: Map<string, number>
  /** Number of strays that this node has handled so far, from which the next pass over too many strays begins. */
  readonly straysHandled: { count: number }
  /** Time for which this node has observed each server that is restarting. */
  readonly watched: WatchedTime
  /**
   * Waiting servers (started before they have a match) that this node recorded for each queue, by the queue's presence scope (`warmScope`).
   */
  readonly warmSeen: Map<string, ReadonlySet<string>>
  /** Metering of this node's servers that wait for a match. */
  readonly warmMeters: WarmMeters
  /** Machines of agents that this node hosts, each with its orchestrator, by machine id. */
  readonly hosted: Map<string, RunningPlace>
  /** Idempotency keys whose first call is running on this node. */
  readonly inFlight: Set<string>
}
