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
 * What can be asked of the service. Every call answers plain values or rejects with a `ServiceError`, whose `code` says which row of the
 * catalogue it is; any of them may reject with `UNAVAILABLE` while the storage cannot be reached, and those that change something with
 * `CONFLICT` where others kept changing the same thing. Times are epoch milliseconds unless a name says otherwise.
 */
export interface Calls extends GroupedCalls {
  readonly access: Access
}

/** One pass of the service's own work, for whoever brings their own loop: tests, simulations. */
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
  /** What happened, after its commit, on the node that made it: `events.on('match_found', ({ match }) => …)`. */
  readonly events: EventEmitter<DomainEventMap>

  /**
   * What changes in a project, on whatever node: each thing as it is now, at most every 100 ms, so that versions may be left out. First
   * `hello`; then what a reader does read from the storage is as new as what it is told, or is told again. Who falls behind is told of a
   * `gap`, and reads again. What must not be missed goes by webhook. Ends with the project. Throws PROJECT_NOT_FOUND, VALIDATION_FAILED,
   * UNAVAILABLE where too many streams are open.
   */
  feed(projectId: string, options?: FeedOptions): Promise<Feed>

  /** One tick at a time; not needed once `start` was called. */
  readonly worker: WorkerSteps

  /**
   * Answers another node that was asked for the log of a server of this one, and has judged its caller: whoever calls this makes sure
   * that it was such a node. Throws UNAVAILABLE, also where the server is not this node's.
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

  /** The storage's own figures, and who waits for room, for metrics. */
  metrics(): Promise<StorageMetrics & { readonly room: RoomFigures }>

  /** Jobs in hand on this node, by lane. */
  jobsInHand(): Readonly<Record<LaneName, number>>

  /** How many event streams are open on this node. */
  openStreams(): number

  /** How this node's feeds do, for metrics. */
  feedFigures(): FeedFigures
}
