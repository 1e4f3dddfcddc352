import type { GameServer, JsonValue, Lobby, Match, PortMapping, Queue, QueueTicket } from '@matchyard/core'
import type {
  ArrivalBatch,
  Change,
  Entities,
  LaunchSpec,
  ObservedServer,
  ServerExit,
  StreamEvent,
} from '@matchyard/core/ports'

export interface SimulatedProcess {
  readonly instanceId: string
  readonly attempt: number
  readonly ports: readonly PortMapping[]
  readonly config: LaunchSpec['config']
  readonly obeys: boolean
  readyAt: number | undefined
  /** Whether the process has reported that it is ready, and whether the service has acknowledged the report. */
  ownWord: 'none' | 'said' | 'heard'
  /** Time and result of the process's scheduled end; undefined while no end is scheduled. */
  end: { readonly at: number; readonly code: number | null; readonly signal: string | null } | undefined
  state: ObservedServer['state']
  exit: ServerExit | null
  /** Time until which the orchestrator does not observe the process, though it runs. */
  overlookedUntil: number | undefined
  readonly startedAt: number
  /** Id of the warm server that became this process. */
  readonly warm?: string
  readonly pool?: string
  /** Whether the record of the spawn may be lost, because the storage returned to an earlier state. */
  ofLostHistory: boolean
}

/** A warm server: started before a launch asked for it. */
export interface WaitingServer {
  readonly id: string
  readonly key: string
  readonly ports: readonly PortMapping[]
}

/** An interval of a process that was not a running server; its seconds may be metered too. */
export interface Idle {
  /** Instance of the process; undefined for a warm server. */
  readonly instanceId: string | undefined
  readonly name: string
  readonly from: number
  to: number | undefined
}

/** Identifiers of the simulated project. */
export interface Place {
  readonly projectId: string
  readonly accountId: string
  /** Keys of all queues, in the form `{projectId}/{queueId}`. */
  readonly queueKeys: readonly string[]
  readonly buildIds: readonly string[]
}

export type QueueVersion = Entities['queue-version']

/** The complete state of the store and the machines at one instant. */
export interface Snapshot {
  readonly at: number
  readonly place: Place
  readonly lobbies: ReadonlyMap<string, Lobby>
  readonly tickets: ReadonlyMap<string, QueueTicket>
  readonly matches: ReadonlyMap<string, Match>
  readonly servers: ReadonlyMap<string, GameServer>
  readonly queues: ReadonlyMap<string, Queue>
  readonly counters: ReadonlyMap<string, number>
  /** Records of the lobbies that left a queue. */
  readonly arrivals: ReadonlyMap<string, ArrivalBatch>
  /** By queue: the kept versions of its settings, newest first. */
  readonly queueVersions: ReadonlyMap<string, readonly QueueVersion[]>
  /** Running processes, with their machines. */
  readonly alive: readonly { readonly nodeId: string; readonly process: SimulatedProcess }[]
  /** Warm servers, with their machines. */
  readonly waiting: readonly { readonly nodeId: string; readonly server: WaitingServer }[]
  /** Intervals in which a process ran that was not a running server, on all machines. */
  readonly idle: readonly Idle[]
  /** Seconds in the account's usage. */
  readonly meteredSeconds: number
  /** Most servers at once, by machine; machines without a limit are left out. */
  readonly maxServers: ReadonlyMap<string, number>
  /** Forbidden calls of the orchestrator, as sentences. */
  readonly misuse: readonly string[]
  /** The state of a reader of the project's changes, when the reader has read all ready changes; else undefined. */
  readonly feed: ReadonlyMap<string, Change> | undefined
  /** Lost nodes: their machines are never reached again. */
  readonly gone: ReadonlySet<string>
  /** Erased players that have made no call since their erasure. */
  readonly erased: ReadonlySet<string>
  /** By trusted field: every value that the project's backend wrote or signed, with its player, as `vouchedText`. */
  readonly vouched: ReadonlyMap<string, ReadonlySet<string>>
}

/** Returns the text of a player's value, as a backend vouches for it. */
export const vouchedText = (playerId: string, value: JsonValue): string => JSON.stringify([playerId, value])

/** The stream of every lobby that ever existed, as far as the observer has read it. */
export type History = ReadonlyMap<string, readonly StreamEvent[]>
