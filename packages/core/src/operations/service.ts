import type { EventEmitter } from 'eventemitter3'
import type { ErrorCode } from '../errors/catalogue'
import type { DomainEvent, DomainEventType } from '../node/domain-events'
import type { ServerLogLine } from '../ports/orchestrator'
import type { PeerLogQuery } from '../ports/peers'
import type { StorageMetrics } from '../ports/storage/index'
import type { RoomFigures } from '../runtime/room-figures'
import type { FeedFigures, FeedOptions } from '../streams/index'
import type { LaneName } from '../worker/lanes'
import type { Access } from './access-calls'
import type { AgentCalls } from './agent-calls'
import type { ConsumerCalls } from './consumer-calls'
import type { AnyGame, GameTypes, PlainGame } from './game-types'
import type { FeedView, Method, Seen } from './in-game'
import type { GroupedCalls } from './index'
import type { ProjectCalls } from './of-project'

/**
 * Calls of the service. Every call resolves with plain values or rejects with a `ServiceError`, whose `code` is explained in the error
 * catalogue. Every call may reject with `UNAVAILABLE` while the storage cannot be reached. A call that changes something may reject with
 * `CONFLICT` when other calls keep changing the same thing. Times are epoch milliseconds unless a name says otherwise.
 */
export interface Calls<Game extends GameTypes = AnyGame> extends GroupedCalls<Game> {
  /** Checks of credentials and of players' identities. */
  readonly access: Access
}

/** Single steps of the service's background work, for programs that control the steps themselves, such as tests and simulations. */
export interface WorkerSteps {
  /** Claims the due jobs and runs them. Returns the number of jobs that it ran. */
  runDueJobs(): Promise<number>
  /** Compares the running game servers with the records and corrects the differences: for the given instances, or for all. */
  reconcileServers(instanceIds?: readonly string[]): Promise<void>
  /** Records that this node is alive, and ends the game servers of nodes that are lost. */
  watchNodes(): Promise<void>
  /** Records that the players with open streams are present. */
  notePresence(): Promise<void>
  /** Adds this node's refused calls and a sample of its open streams to the history. */
  noteCounts(): Promise<void>
}

/** Map of listeners for domain events, with the game's own types. The name `*` receives every event. */
export type DomainEventsOf<Game extends GameTypes = AnyGame> = {
  /** Listener for the events of one type. */
  [T in DomainEventType]: Method<[event: Seen<Extract<DomainEvent, { type: T }>, Game>], void>
} & {
  /** Listener for every event. */
  '*': Method<[event: Seen<DomainEvent, Game>], void>
}

/**
 * The embeddable service, made by `createMatchyard`. `Game` has the game's own types of the `state` of players and the `settings` of lobbies;
 * without it, they are JSON objects.
 */
export interface Matchyard<Game extends GameTypes = AnyGame> extends Calls<Game>, ConsumerCalls {
  /**
   * Domain events of this node, which are lost when its process ends: `events.on('match_found', ({ match }) => …)`. The node that made a
   * commit emits its events after the commit. Other nodes do not emit them. Use `consume` or webhooks for events that must not be missed.
   */
  readonly events: EventEmitter<DomainEventsOf<Game>>

  /** Returns the calls about one project, which take no `projectId`: `const arena = matchyard.project(id)`. */
  project(projectId: string): ProjectCalls<Game>

  /**
   * Opens a feed of the changes of a project, made on any node. Each change holds the current value of one thing. A value is sent at most
   * every 100 ms, so versions may be left out. The first message is `hello`. A read of the storage after a message returns a state at least
   * as new as the message, or the feed sends the change again.
   *
   * A reader that falls behind gets a `gap` and must read the state again. Use `consume` or webhooks for events that must not be missed. The feed ends
   * when the project is deleted. Throws PROJECT_NOT_FOUND, VALIDATION_FAILED, and UNAVAILABLE when too many streams are open.
   */
  feed(projectId: string, options?: FeedOptions): Promise<FeedView<PlainGame<Game>>>

  /** Single steps of the background work. A program that calls `start` does not need them. */
  readonly worker: WorkerSteps

  /**
   * Returns the log of a server of this node to another node; that node has checked its own caller. The caller of this function must check
   * that the request came from a node. Throws UNAVAILABLE, also when the server does not run on this node.
   */
  answerPeer(query: PeerLogQuery): Promise<ServerLogLine[]>

  /** Calls for the agents of machines, which run game servers for this installation. */
  readonly agents: AgentCalls

  /**
   * Migrates the database schema, and finds the game servers that a previous process started and that still run. Call it once; `start`
   * calls it too.
   */
  open(): Promise<void>

  /** Opens the service, then runs matchmaking, launches and timeouts in the background until `stop`. */
  start(): Promise<void>

  /**
   * Lets the other nodes take over matchmaking and jobs: this node finishes the matchmaking and the jobs that run, and begins no more.
   * Calls and streams continue. The method is for a node that will stop soon and still receives calls; `stop` calls it too.
   */
  handOver(): Promise<void>

  /**
   * Stops the service: ends every stream, finishes the matchmaking and the jobs that run, and closes the storage. Game servers continue to
   * run.
   */
  stop(): Promise<void>

  /**
   * Resolves when the storage answers and accepts writes. The storage is asked at most once a second. Rejects with the error of the
   * storage.
   */
  ping(): Promise<void>

  /** Returns the number of builds whose archives this node needed in the last ten minutes and did not find. */
  unseenArchives(): number

  /**
   * Returns the number of rows of minutes of the history that were removed before they were added to the longer steps, as this node counted
   * them. It grows only after the service was down for about two days.
   */
  historyRowsDropped(): number

  /** Returns figures for metrics: of the storage, and of the launches that wait for capacity. */
  metrics(): Promise<StorageMetrics & { readonly room: RoomFigures }>

  /** Returns the number of running jobs on this node, by lane (a group of job kinds). */
  jobsInHand(): Readonly<Record<LaneName, number>>

  /** Returns the number of event streams that are open on this node. */
  openStreams(): number

  /**
   * Counts a refused call of a project for the history, in memory; at most about a minute later the node adds its counts. The call is for a
   * protocol in front of the service, such as HTTP, after it has verified the caller's credential.
   */
  countRefusal(projectId: string, code: ErrorCode): void

  /** Returns the figures of this node's feeds, for metrics. */
  feedFigures(): FeedFigures
}
