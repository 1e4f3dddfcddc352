import type { EventEmitter } from 'eventemitter3'
import type { DomainEventMap } from '../node/domain-events'
import type { ServerLogLine } from '../ports/orchestrator'
import type { PeerLogQuery } from '../ports/peers'
import type { StorageMetrics } from '../ports/storage/index'
import type { RoomFigures } from '../runtime/room-figures'
import type { Feed, FeedFigures, FeedOptions } from '../streams/index'
import type { LaneName } from '../worker/lanes'
import type { Access } from './access-calls'
import type { GroupedCalls } from './index'

/**
 * Calls of the service. Every call resolves with plain values or rejects with a `ServiceError`, whose `code` names its row in the error
 * catalogue. Every call may reject with `UNAVAILABLE` while the storage cannot be reached. A call that changes something may reject with
 * `CONFLICT` when other calls keep changing the same thing. Times are epoch milliseconds unless a name says otherwise.
 */
export interface Calls extends GroupedCalls {
  readonly access: Access
}

/** Single steps of the service's background work, for programs with a loop of their own: tests, simulations. */
export interface WorkerSteps {
  /** Claims the jobs that are due and carries them out; answers how many there were. */
  runDueJobs(): Promise<number>
  /** Compares what really runs with the records; of these instances alone, or of all. */
  reconcileServers(instanceIds?: readonly string[]): Promise<void>
  /** Says that this node lives, and ends the servers of nodes that are gone. */
  watchNodes(): Promise<void>
  /** Notes the players of open streams as present. */
  notePresence(): Promise<void>
}

/** The embeddable service, made by `createMatchyard`. */
export interface Matchyard extends Calls {
  /** Domain events, emitted after their commit on the node that made it: `events.on('match_found', ({ match }) => …)`. */
  readonly events: EventEmitter<DomainEventMap>

  /**
   * Opens a feed of the changes of a project, made on any node. Each change holds the current value, at most every 100 ms, so versions may be
   * left out. The first message is `hello`; later reads of the storage are at least as new as the feed, or the change is sent again. A reader
   * that falls behind gets a `gap` and must read the state again. Use webhooks for events that must not be missed. The feed ends with the
   * project. Throws PROJECT_NOT_FOUND, VALIDATION_FAILED, UNAVAILABLE where too many streams are open.
   */
  feed(projectId: string, options?: FeedOptions): Promise<Feed>

  /** Single steps of the background work; not needed after `start`. */
  readonly worker: WorkerSteps

  /**
   * Returns the log of a server of this node to another node, which has checked its own caller. The caller of this function must check that the
   * request came from a node. Throws UNAVAILABLE, also where the server does not run on this node.
   */
  answerPeer(query: PeerLogQuery): Promise<ServerLogLine[]>

  /** Brings the schema up to date and finds again what runs from before. Once; `start` does it too. */
  open(): Promise<void>

  /** Opens, then matches, launches and times out by itself until `stop`. */
  start(): Promise<void>

  /**
   * Leaves matchmaking and jobs to the other nodes: finishes what is in hand and begins nothing new. Calls and streams go on as before.
   * For a node that is about to stop and still takes calls; `stop` does it too.
   */
  handOver(): Promise<void>

  /** Ends every stream, finishes what is in hand and lets go. Game servers go on; the storage is closed. */
  stop(): Promise<void>

  /** Resolves when the storage answers and takes writes; asks it once a second at most. Throws what the storage throws. */
  ping(): Promise<void>

  /** How many builds this node was asked for in the last ten minutes without seeing their archive. */
  unseenArchives(): number

  /** Returns the storage's figures and the launches that wait for capacity, for metrics. */
  metrics(): Promise<StorageMetrics & { readonly room: RoomFigures }>

  /** Jobs in hand on this node, by lane. */
  jobsInHand(): Readonly<Record<LaneName, number>>

  /** How many event streams are open on this node. */
  openStreams(): number

  /** How this node's feeds do, for metrics. */
  feedFigures(): FeedFigures
}
