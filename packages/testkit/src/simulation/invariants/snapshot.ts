import type {
  Ban,
  GameServer,
  JsonValue,
  Lobby,
  MachineRecord,
  Match,
  PortMapping,
  Queue,
  QueueTicket,
  Rating,
  Region,
} from '@matchyard/core'
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
  /**
   * Whether the process has reported that it is ready (`said`), and whether the service has acknowledged the report
   * (`heard`).
   */
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

/** A warm server: a server that was started before a launch asked for it. */
export interface WaitingServer {
  readonly id: string
  readonly key: string
  readonly ports: readonly PortMapping[]
}

/** An interval in which a process was not a running server. The service may meter these seconds too. */
export interface Idle {
  /** Instance of the process; undefined for a warm server. */
  readonly instanceId: string | undefined
  readonly name: string
  readonly from: number
  to: number | undefined
}

/** Ids of the simulated project and its objects. */
export interface Place {
  readonly projectId: string
  readonly accountId: string
  /** Keys of all queues, in the form `{projectId}/{queueId}`. */
  readonly queueKeys: readonly string[]
  readonly buildIds: readonly string[]
}

export type QueueVersion = Entities['queue-version']
export type RatedStanding = Entities['standing']

/** The rating of a world, with everything that the store keeps for it. */
export interface RatedStore {
  readonly rating: Rating
  /** Standings of all players in all seasons. */
  readonly standings: readonly RatedStanding[]
  /** Leaderboards of all seasons: ids of the listed standings in order, and the counter of the board. */
  readonly boards: readonly {
    readonly season: number
    readonly placed: boolean
    readonly listed: readonly string[]
    readonly count: number
  }[]
  /** Counters of the counted matches and of the calibration. */
  readonly counters: ReadonlyMap<string, number>
}

/** The complete state of the store and of the machines at one time. */
export interface Snapshot {
  readonly at: number
  readonly place: Place
  readonly lobbies: ReadonlyMap<string, Lobby>
  readonly tickets: ReadonlyMap<string, QueueTicket>
  readonly matches: ReadonlyMap<string, Match>
  /** By player: id of the match that holds the player's unique key, which keeps the player out of other matches. */
  readonly playing: ReadonlyMap<string, string>
  /**
   * Order in which things first stood in the store: by ticket id, the number of the first snapshot with the search; by
   * `holdKey`, that of the first snapshot in which a made match held the player.
   */
  readonly begun: ReadonlyMap<string, number>
  readonly servers: ReadonlyMap<string, GameServer>
  readonly queues: ReadonlyMap<string, Queue>
  readonly bans: ReadonlyMap<string, Ban>
  /** Number of bans in the row of the project. */
  readonly banCount: number
  readonly counters: ReadonlyMap<string, number>
  /** The rating of the world; undefined in a world without a rating. */
  readonly rated?: RatedStore | undefined
  /** Records of the lobbies that left a queue. */
  readonly arrivals: ReadonlyMap<string, ArrivalBatch>
  /** By queue: the versions of its settings that are kept, newest first. */
  readonly queueVersions: ReadonlyMap<string, readonly QueueVersion[]>
  /** Running processes, with their machines. */
  readonly alive: readonly { readonly nodeId: string; readonly process: SimulatedProcess }[]
  /** Warm servers, with their machines. */
  readonly waiting: readonly { readonly nodeId: string; readonly server: WaitingServer }[]
  /** Intervals in which a process ran that was not a running server, on all machines. */
  readonly idle: readonly Idle[]
  /** Seconds of server time in the account's usage. */
  readonly meteredSeconds: number
  /** Most servers that run at the same time, by machine. Machines without a limit are left out. */
  readonly maxServers: ReadonlyMap<string, number>
  /** Regions of each machine; empty when every machine serves all. */
  readonly regions: ReadonlyMap<string, readonly Region[]>
  /** By node: the longest time without a heartbeat that lasts or has ended lately, in milliseconds. */
  readonly silences: ReadonlyMap<string, number>
  /** Records of the machines, by id. */
  readonly machineRecords: ReadonlyMap<string, MachineRecord>
  /** Forbidden calls of the core to the orchestrator, as sentences. */
  readonly misuse: readonly string[]
  /**
   * The entities that a reader of the project's changes knows, when the reader has read all ready changes; otherwise
   * undefined.
   */
  readonly feed: ReadonlyMap<string, Change> | undefined
  /** Lost nodes: their machines are never reached again. */
  readonly gone: ReadonlySet<string>
  /** Erased players that have made no call since their erasure. */
  readonly erased: ReadonlySet<string>
  /**
   * By trusted field: every value that the project's backend wrote or signed, together with its player, as
   * `vouchedText` returns it.
   */
  readonly vouched: ReadonlyMap<string, ReadonlySet<string>>
}

/** Returns a text that identifies a value together with the player for whom a backend wrote or signed it. */
export const vouchedText = (playerId: string, value: JsonValue): string => JSON.stringify([playerId, value])

/** By lobby id: the stream of every lobby that ever existed, as far as the simulator has read it. */
export type History = ReadonlyMap<string, readonly StreamEvent[]>
