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
  /** Claims the due jobs and runs them. Returns their number. */
  runDueJobs(): Promise<number>
  /** Compares the running game servers with the records and removes the differences: for the given instances, or for all. */
  reconcileServers(instanceIds?: readonly string[]): Promise<void>
  /** Records that this node is alive, and ends the game servers of nodes that are lost. */
  watchNodes(): Promise<void>
  /** Records the players of open streams as present. */
  notePresence(): Promise<void>
}

/** The embeddable service, made by `createMatchyard`. */
export interface Matchyard extends Calls {
  /** Domain events. The node that made a commit emits its events after the commit: `events.on('match_found', ({ match }) => …)`. */
  readonly events: EventEmitter<DomainEventMap>

  /**
   * Opens a feed of the changes of a project, made on any node. Each change holds the current value of one thing, sent at most every 100
   * ms, so versions may be left out. The first message is `hello`. A read of the storage after a message returns a state at least as new,
   * or the feed sends the change again. A reader that falls behind gets a `gap` and must read the state again. Use webhooks for events that
   * must not be missed. The feed ends with the project. Throws PROJECT_NOT_FOUND, VALIDATION_FAILED, UNAVAILABLE where too many streams are
   * open.
   */
  feed(projectId: string, options?: FeedOptions): Promise<Feed>

  /** Single steps of the background work; not needed after `start`. */
  readonly worker: WorkerSteps

  /**
   * Returns the log of a server of this node to another node, which has checked its own caller. The caller of this function must check that the
   * request came from a node. Throws UNAVAILABLE, also where the server does not run on this node.
   */
  answerPeer(query: PeerLogQuery): Promise<ServerLogLine[]>

  /** Migrates the database schema, and finds the game servers that still run from before. Call it once; `start` does it too. */
  open(): Promise<void>

  /** Opens the service, then runs matchmaking, launches and timeouts in the background until `stop`. */
  start(): Promise<void>

  /**
   * Hands matchmaking and jobs over to the other nodes: the node finishes the work in hand and begins no more. Calls and streams continue.
   * For a node that will stop soon and still takes calls; `stop` does it too.
   */
  handOver(): Promise<void>

  /** Stops the service: ends every stream, finishes the work in hand and closes the storage. Game servers continue to run. */
  stop(): Promise<void>

  /** Resolves when the storage answers and accepts writes. Asks the storage at most once a second. Throws the error of the storage. */
  ping(): Promise<void>

  /** Returns the number of builds whose archive this node needed in the last ten minutes and did not find. */
  unseenArchives(): number

  /** Returns the figures of the storage and of the launches that wait for capacity, for metrics. */
  metrics(): Promise<StorageMetrics & { readonly room: RoomFigures }>

  /** Returns the number of jobs in hand on this node, by lane. */
  jobsInHand(): Readonly<Record<LaneName, number>>

  /** Returns the number of event streams that are open on this node. */
  openStreams(): number

  /** Returns the figures of this node's feeds, for metrics. */
  feedFigures(): FeedFigures
}
