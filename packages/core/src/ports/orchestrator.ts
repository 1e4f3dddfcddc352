import type { BuildType } from '../build/build'
import type { Region } from '../catalog/regions'
import type { Tier, TierSize } from '../catalog/tiers'
import type { PortMapping, PortRequest } from '../server/game-server'
import type { Readiness } from '../server/readiness'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { TraceParent } from './tracing'

/** The pinned build of a launch. */
export type LaunchBuild =
  | { readonly type: 'zip'; readonly buildId: string; readonly executablePath: string }
  | { readonly type: 'docker_image'; readonly buildId: string; readonly image: string }

/** A single spawn of a game server, named by (instanceId, attempt). The ports are already in the record. */
export interface LaunchSpec {
  readonly instanceId: string
  readonly attempt: number
  readonly projectId: string
  /** null for a server that was launched by itself. */
  readonly matchId: string | null
  readonly region: Region
  readonly tier: Tier
  readonly tierSize: TierSize
  readonly build: LaunchBuild
  /** Split like a shell would quote, never passed through a shell; then `${NAME}` is replaced in each argument. */
  readonly startupArgs: string
  /** Empty where the orchestrator gives ports later. */
  readonly networkPorts: readonly PortMapping[]
  /** Port requests that `networkPorts` answer. */
  readonly portRequests: readonly PortRequest[]
  /** When it is observed as `ready`. With `self` it never is: core hears of it from the server. */
  readonly readiness: Readiness
  /** The content of `/svc/its_svc.json`. */
  readonly config: JsonObject
  /** The place in a trace of which the server is a part, for its environment: `TRACEPARENT`. Left out where nobody traces. */
  readonly trace?: TraceParent
}

/** Properties in which servers must agree to be interchangeable while they wait for a match. */
export type WarmShape = Pick<
  LaunchSpec,
  'projectId' | 'region' | 'tier' | 'tierSize' | 'build' | 'startupArgs' | 'portRequests' | 'readiness'
>

/** How many of a pool are to wait, of whose given ones so many play. */
export const warmTarget = ({ min, buffer, most = Number.POSITIVE_INFINITY }: WarmPool, playing: number): number =>
  Math.min(most, Math.max(buffer, min - playing))

/** Servers of one shape that are to be there before anybody asks for them. */
export interface WarmPool extends WarmShape {
  /** The least of them that there are in all, those that were given away and live counted. */
  readonly min: number
  /** How many wait. */
  readonly buffer: number
  /** How many may wait at the most, whatever the others say; left out: no bound. */
  readonly most?: number
}

/** Waiting servers of a pool, each with a stable name of the orchestrator. */
export interface WarmServers {
  /** `warmKey` of the pool. */
  readonly key: string
  readonly ready: readonly string[]
}

/** A launch takes from the pool with the same key, and from no other. A text of any length: hash it where it is to be a label. */
export const warmKey = ({
  projectId,
  build,
  region,
  tier,
  portRequests,
  startupArgs,
  readiness,
}: WarmShape): string => {
  const ports = portRequests.map((port) => [port.name, port.protocol, port.internalPort, port.tlsEnabled])
  return JSON.stringify([projectId, build.buildId, region, tier, ports, startupArgs, readiness])
}

export type LaunchResult =
  | { readonly ok: true }
  /**
   * `address_in_use`: a port is taken, try again with other ports. `no_room`: no capacity, wait without counting an attempt. `away`: a needed
   * machine does not answer, launch the same attempt again. `retry`: another attempt may succeed. `final`: no attempt can succeed.
   */
  | {
      readonly ok: false
      readonly reason: 'address_in_use' | 'no_room' | 'away' | 'retry' | 'final'
      readonly message: string
    }

/** A server that has room on this node by the records, whether or not it runs at this moment. */
export interface HeldRoom {
  readonly instanceId: string
  readonly tierSize: TierSize
}

/** A server to be launched, before anything of it is recorded. */
export interface RoomWish {
  readonly instanceId: string
  readonly region: Region
  readonly tier: Tier
  readonly tierSize: TierSize
  /** The build whose archive is to run; null where none is needed, or asked about. */
  readonly archiveOf: string | null
  /** Returns the recorded servers that hold capacity on this node. The orchestrator knows the unrecorded ones. Called only where needed. */
  readonly held: () => Promise<readonly HeldRoom[]>
}

/**
 * `full`: there may be room later. `too_large`: not here, however many end. `no_archive`: this node does not see the archive, another one may.
 * The message is a sentence for a developer.
 */
export type RoomAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'full' | 'too_large' | 'no_archive'; readonly message: string }

export interface ServerExit {
  readonly code: number | null
  readonly signal: string | null
  /** Set where the platform told more, for instance `out_of_memory`. */
  readonly reason?: string
  /** When it ended, or was last seen alive when nobody watched. */
  readonly at: Instant
}

/**
 * Observed state of an instance. `starting`: up, not yet ready. `ready`, with `readiness: 'port'`: every TCP port accepts connections and every
 * UDP port is bound by this server; without ports, or where the platform cannot tell the owner of a port, the server has run for a second; with
 * `uptime`: the server has run for a second. Once ready, it stays so until it has exited.
 */
export interface ObservedServer {
  readonly instanceId: string
  readonly attempt: number
  readonly state: 'starting' | 'ready' | 'exited'
  /** Set when `exited`. */
  readonly exit: ServerExit | null
  /** Missing conditions of a `starting` server, as a clause for a developer (ports that were requested, ports that are bound). */
  readonly waitsFor?: string
  /** Ports of the server, for an orchestrator that assigns ports after the launch: present once known, always when `ready`. */
  readonly networkPorts?: readonly PortMapping[]
  /** Name under which the server waited in a pool, when it came from one. */
  readonly warm?: string
  /** Start time of the process of a server that is not ready. Absent without a process or where unknown. */
  readonly startedAt?: Instant
}

/** Where an instance is, for a call about it alone: the region of its record, which never changes; left out where there is no record. */
export interface Where {
  readonly region?: Region | undefined
}

/** Instances whose state is wanted; additional instances in the answer do no harm. */
export interface Among {
  readonly among?: ReadonlySet<string>
}

export interface ServerLogLine {
  readonly at: Instant
  readonly stream: 'stdout' | 'stderr'
  readonly message: string
}

/**
 * Runs game servers. Core compares `observe` with its records by level, so every call may be repeated:
 * - `launch` of an (instanceId, attempt) that was launched before is `ok` and starts nothing, even after a crash in between; an earlier attempt of the instance that still runs is ended before a later one starts, and an attempt older than the newest is refused;
 * - `observe` lists every process or container of this installation on this node, also those of another service process, until it is forgotten;
 * - `admit` says whether there is room for one more beside what is held by the records and what runs; it keeps no room by itself, and core
 *   asks for one after the other. `launch` never runs more at once than there is room for, even when more were admitted;
 * - `stop` asks (SIGTERM), waits `graceMs`, also for child processes that outlive the first process, then kills, in the background; stopping an instance that is gone succeeds;
 * - an instance that ended is observed as `exited` until `forget`;
 * - `keepWarm` is told every pool that is wanted, again and again, and adjusts its pools: missing servers are started; surplus servers, servers of unwanted pools and ended ones are removed. A waiting server is not in `observe`, takes no capacity from a launch, and has no configuration: the `launch` that takes the server configures it, and the server then belongs to that instance alone. When a waiting server ends, the launch starts a new one as if there were no pools;
 * - where servers are spread (a cluster for each region), a region that does not answer does not block the others: a call about one instance names its region and contacts only that one. A call that cannot be carried out throws soon, because core has other instances to handle. `observe` of all instances leaves out unreachable ones. Core does not treat these as gone: it first asks about each instance alone;
 * - each instance stands alone: when the stored data of one instance is damaged, the others are still launched, stopped and observed, and `open` completes; a damaged instance that still runs is observed and can be stopped.
 */
export interface Orchestrator {
  readonly name: string
  /**
   * Set where every node with this orchestrator sees and steers the same servers, as with one cluster: they belong to all of them under
   * this name, and to none alone. The same at each, and no node's own. Left out, servers belong to the node that launched them.
   */
  readonly sharedAs?: string
  /**
   * Set where another process of this node runs the servers and is asked by this one: under which name they are in the records. Left out,
   * they are kept under the name of this process.
   */
  readonly runsFor?: string
  readonly capabilities: {
    readonly buildTypes: readonly BuildType[]
    /** One sentence for each thing that this machine cannot enforce or isolate, for the log and `doctor`. */
    readonly limitations: readonly string[]
    /** Whether it starts servers before they are asked for; else `keepWarm` does nothing. */
    readonly keepsWarm: boolean
  }
  /** Finds again what runs from before; called once before anything else. */
  open(): Promise<void>
  /** Lets go without stopping any game server. */
  close(): Promise<void>
  /**
   * Proposes a free external port for each request. The commit that records a port decides; the port may be taken at the launch. `later`: the
   * platform assigns ports itself, and `observe` reports them. `pool` is the `warmKey` of the launch: when a server with ports waits there, its
   * ports are proposed, and the launch with these ports takes that server.
   */
  proposePorts(requests: readonly PortRequest[], pool?: string): Promise<PortMapping[] | 'later'>
  /** Returns the servers that wait now in each wanted pool. */
  keepWarm(pools: readonly WarmPool[]): Promise<readonly WarmServers[]>
  /** Asked before an attempt is recorded. An installation without limits always has room. */
  admit(wish: RoomWish): Promise<RoomAnswer>
  launch(spec: LaunchSpec): Promise<LaunchResult>
  stop(instanceId: string, options: { graceMs: number } & Where): Promise<void>
  /**
   * Returns the observed servers. With `of`: at least this instance, in its present state, with every acknowledged change. Without it the
   * answer may be slightly older where the platform is far away, but includes every launch of this service. `among` limits the answer to these
   * instances, so that its cost need not grow with all servers. Throws UNAVAILABLE where nothing can be observed, and with `of` where that
   * instance cannot; an instance that is missing in the answer does not exist.
   */
  observe(of?: string, where?: Where & Among): Promise<ObservedServer[]>
  /** Frees what an ended instance still holds (its copy of the configuration, its cgroup); its logs stay readable. */
  forget(instanceId: string, where?: Where): Promise<void>
  /**
   * Removes local files of builds that the build store no longer has. Running servers are left alone. Called after an archive was removed, and
   * from time to time, for archives removed through another node.
   */
  prune(): Promise<void>
  /** The newest `limit` lines at or after `since`, oldest first. */
  logs(instanceId: string, options: { limit: number; since?: Instant } & Where): Promise<ServerLogLine[]>
  /** Validates and pins a container image; a zip-only orchestrator answers why it cannot. */
  prepareImage(
    image: string,
    log: (level: 'info' | 'warn' | 'error', message: string) => void,
  ): Promise<
    | { readonly ok: true; readonly image: string; readonly sizeBytes: number }
    | { readonly ok: false; readonly message: string }
  >
  /**
   * Calls the listener with a hint that an instance's state changed, or with an empty id when there is more capacity. `observe` and `admit`
   * have the truth. Instances without a hint are checked every few seconds where servers are shared, else every second.
   */
  subscribe(listener: (instanceId: string) => void): () => void
}
