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
  /** Whether it has said itself that it is ready, and whether it was told that this was heard. */
  ownWord: 'none' | 'said' | 'heard'
  /** When it is going to end, and how. */
  end: { readonly at: number; readonly code: number | null; readonly signal: string | null } | undefined
  state: ObservedServer['state']
  exit: ServerExit | null
  /** Until when looks miss it, though it goes on. */
  overlookedUntil: number | undefined
  readonly startedAt: number
  /** The name under which it waited in a pool before. */
  readonly warm?: string
  readonly pool?: string
  /** Whether the record that it was spawned for may never have been: the storage went back. */
  ofLostHistory: boolean
}

/** One that was started before anybody asked for it. */
export interface WaitingServer {
  readonly id: string
  readonly key: string
  readonly ports: readonly PortMapping[]
}

/** What may be metered besides running servers. */
export interface Idle {
  /** Whose it is, or was to be; undefined of what waits for its match. */
  readonly instanceId: string | undefined
  readonly name: string
  readonly from: number
  to: number | undefined
}

/** Where the simulated service lives. */
export interface Place {
  readonly projectId: string
  readonly accountId: string
  /** `{projectId}/{queueId}`. */
  readonly queueKeys: readonly string[]
  readonly buildIds: readonly string[]
}

export type QueueVersion = Entities['queue-version']

/** Everything that is stored and runs at one instant. */
export interface Snapshot {
  readonly at: number
  readonly place: Place
  readonly lobbies: ReadonlyMap<string, Lobby>
  readonly tickets: ReadonlyMap<string, QueueTicket>
  readonly matches: ReadonlyMap<string, Match>
  readonly servers: ReadonlyMap<string, GameServer>
  readonly queues: ReadonlyMap<string, Queue>
  readonly counters: ReadonlyMap<string, number>
  /** What is recorded of those who left a queue. */
  readonly arrivals: ReadonlyMap<string, ArrivalBatch>
  /** Of each queue what is kept of its settings, the newest first. */
  readonly queueVersions: ReadonlyMap<string, readonly QueueVersion[]>
  /** Processes that run, by the machine they run on. */
  readonly alive: readonly { readonly nodeId: string; readonly process: SimulatedProcess }[]
  /** What waits for a launch, by the machine. */
  readonly waiting: readonly { readonly nodeId: string; readonly server: WaitingServer }[]
  /** What ran or waited without being a running server, of all machines. */
  readonly idle: readonly Idle[]
  /** Seconds that were added up for the account. */
  readonly meteredSeconds: number
  /** What each machine may run at once; a machine without a limit is left out. */
  readonly maxServers: ReadonlyMap<string, number>
  /** What a caller of the orchestrator did that its port forbids. */
  readonly misuse: readonly string[]
  /** What a reader of the project's changes knows, where it has read all that was ready; else undefined. */
  readonly feed: ReadonlyMap<string, Change> | undefined
  /** Nodes that never come back: nobody reaches what runs there. */
  readonly gone: ReadonlySet<string>
  /** Players who were erased and have done nothing since. */
  readonly erased: ReadonlySet<string>
  /** By field that a queue may trust: every value that the project's backend wrote or signed, and of whom, as `vouchedText`. */
  readonly vouched: ReadonlyMap<string, ReadonlySet<string>>
}

/** A value of a player, as a backend vouches for it. */
export const vouchedText = (playerId: string, value: JsonValue): string => JSON.stringify([playerId, value])

/** The stream of every lobby that ever was, as far as it was read. */
export type History = ReadonlyMap<string, readonly StreamEvent[]>
