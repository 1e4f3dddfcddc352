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

/** One spawn of a game server, identified by (instanceId, attempt). Its ports are recorded before the launch. */
export interface LaunchSpec {
  readonly instanceId: string
  readonly attempt: number
  readonly projectId: string
  /** Match of the server; null for a server that was launched without a match. */
  readonly matchId: string | null
  readonly region: Region
  readonly tier: Tier
  readonly tierSize: TierSize
  readonly build: LaunchBuild
  /**
   * Arguments of the command, split by the quoting rules of a shell but never passed to a shell. Then `${NAME}` is replaced in each
   * argument.
   */
  readonly startupArgs: string
  /** External ports of the server; empty when the orchestrator assigns ports after the launch. */
  readonly networkPorts: readonly PortMapping[]
  /** Port requests that `networkPorts` fulfils. */
  readonly portRequests: readonly PortRequest[]
  /** Condition on which the server is observed as `ready`. With `self` it is never observed so: core learns it from the server itself. */
  readonly readiness: Readiness
  /** Content of the server's configuration file `/svc/its_svc.json`. */
  readonly config: JsonObject
  /** Place of the launch in a trace, passed to the server in the environment variable `TRACEPARENT`. Absent without tracing. */
  readonly trace?: TraceParent
}

/** Properties in which servers must agree to be interchangeable while they wait for a match. */
export type WarmShape = Pick<
  LaunchSpec,
  'projectId' | 'region' | 'tier' | 'tierSize' | 'build' | 'startupArgs' | 'portRequests' | 'readiness'
>

/** Returns how many servers of a pool should wait, given the number of its servers that are in matches. */
export const warmTarget = ({ min, buffer, most = Number.POSITIVE_INFINITY }: WarmPool, playing: number): number =>
  Math.min(most, Math.max(buffer, min - playing))

/** Pool of servers of one shape that are started before a match needs them. */
export interface WarmPool extends WarmShape {
  /** Minimum number of servers in all: the waiting servers and the live ones that were given to matches. */
  readonly min: number
  /** Number of servers that should wait. */
  readonly buffer: number
  /** Maximum number of waiting servers, stronger than `min` and `buffer`; absent: no maximum. */
  readonly most?: number
}

/** Waiting servers of a pool, each with a stable name that the orchestrator chose. */
export interface WarmServers {
  /** `warmKey` of the pool. */
  readonly key: string
  readonly ready: readonly string[]
}

/**
 * Returns the key of a pool. A launch takes a waiting server only from the pool with the same key. The key can have any length: an adapter
 * that needs a label uses a hash of it.
 */
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
   * Reason of a failed launch. `address_in_use`: a port is taken; try again with other ports. `no_room`: no capacity; wait without counting
   * an attempt. `away`: a needed machine does not answer; launch the same attempt again. `retry`: another attempt may succeed. `final`: no
   * attempt can succeed.
   */
  | {
      readonly ok: false
      readonly reason: 'address_in_use' | 'no_room' | 'away' | 'retry' | 'final'
      readonly message: string
    }

/** A server that holds capacity on this node according to the records, whether or not it runs at this moment. */
export interface HeldRoom {
  readonly instanceId: string
  readonly tierSize: TierSize
}

/** Request for the capacity of a server that is not recorded yet. */
export interface RoomWish {
  readonly instanceId: string
  readonly region: Region
  readonly tier: Tier
  readonly tierSize: TierSize
  /** Build whose archive the server needs; null when it needs none, or when the question is only about capacity. */
  readonly archiveOf: string | null
  /**
   * Returns the recorded servers that hold capacity on this node. The orchestrator adds the running servers without a record. Called only
   * when needed.
   */
  readonly held: () => Promise<readonly HeldRoom[]>
}

/**
 * Answer to a `RoomWish`. `full`: there may be room later. `too_large`: there is never room here, even on an empty node. `no_archive`: this
 * node does not see the archive; another node may. The message is a sentence for a developer.
 */
export type RoomAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'full' | 'too_large' | 'no_archive'; readonly message: string }

export interface ServerExit {
  readonly code: number | null
  readonly signal: string | null
  /** Further cause from the platform, for instance `out_of_memory`; absent when it gave none. */
  readonly reason?: string
  /** Instant of the exit, or the last sighting when the exit itself was not observed. */
  readonly at: Instant
}

/**
 * Observed state of an instance. `starting`: it runs and is not ready. `ready`, with `readiness: 'port'`: every TCP port accepts
 * connections and this server has bound every UDP port; without ports, or when the platform cannot tell the owner of a port, the server has
 * run for a second. `ready`, with `uptime`: the server has run for a second. A ready server stays ready until it exits.
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

/** Location of an instance, for a call about this instance only: the region of its record, which never changes. Absent without a record. */
export interface Where {
  readonly region?: Region | undefined
}

/** Limit of an observation to these instances. An answer with additional instances is correct too. */
export interface Among {
  readonly among?: ReadonlySet<string>
}

export interface ServerLogLine {
  readonly at: Instant
  readonly stream: 'stdout' | 'stderr'
  readonly message: string
}

/**
 * Runs game servers. Core compares the result of `observe` with its records again and again, so every call may be repeated:
 * - `launch` of an (instanceId, attempt) that was launched before is `ok` and starts nothing, even after a crash in between. An earlier
 *   attempt of the instance that still runs is ended before a later one starts. An attempt older than the newest is refused.
 * - `observe` lists every process or container of this installation on this node until `forget`, also those that another service process
 *   started.
 * - `admit` says whether there is room for one more server besides the recorded and the running ones. It reserves nothing, and core makes
 *   these calls one after the other. `launch` never runs more servers at once than there is room for, even when more were admitted.
 * - `stop` sends SIGTERM, waits `graceMs`, then kills, in the background. It also waits for child processes that outlive the first process.
 *   Stopping an instance that is gone succeeds.
 * - An instance that ended is observed as `exited` until `forget`.
 * - `keepWarm` gets all wanted pools at every call and adjusts its pools: it starts missing servers, and removes surplus servers, servers
 *   of unwanted pools and ended ones. A waiting server is not in `observe`, takes no capacity from a launch, and has no configuration. The
 *   `launch` that takes the server configures it; the server then belongs to that instance alone. When the waiting server ends, the launch
 *   starts a new one, as without pools.
 * - With servers in several places (a cluster for each region), a region that does not answer does not block the others. A call about one
 *   instance names its region and contacts only that region. A call that cannot be carried out throws soon, because core has other
 *   instances to handle. `observe` of all instances leaves out unreachable ones. Core does not treat these as gone: it first observes each
 *   of them alone.
 * - Damaged data of one instance does not affect the others: they are still launched, stopped and observed, and `open` completes. A damaged
 *   instance that still runs is observed and can be stopped.
 */
export interface Orchestrator {
  readonly name: string
  /**
   * Name under which all nodes with this orchestrator see and control the same servers, as with one cluster. The name is the same on all
   * these nodes and is no node's own id. Absent: servers belong to the node that launched them.
   */
  readonly sharedAs?: string
  /**
   * Name of another process of this node that runs the servers for this process; the records hold the servers under this name. Absent: the
   * records hold them under the name of this process.
   */
  readonly runsFor?: string
  readonly capabilities: {
    readonly buildTypes: readonly BuildType[]
    /** Sentences for the log and for `doctor`, one for each property that this machine cannot enforce or isolate. */
    readonly limitations: readonly string[]
    /** Whether the orchestrator can start servers before a launch needs them. When false, `keepWarm` does nothing. */
    readonly keepsWarm: boolean
  }
  /** Finds the servers that still run from before. Called once, before every other call. */
  open(): Promise<void>
  /** Releases the resources of the adapter. Game servers continue to run. */
  close(): Promise<void>
  /**
   * Proposes a free external port for each request. The commit that records the ports decides about conflicts; a port may still be taken at
   * the launch. `later`: the platform assigns ports itself, and `observe` reports them. `pool` is the `warmKey` of the launch: when a
   * server with ports waits there, its ports are proposed, and the launch with these ports takes that server.
   */
  proposePorts(requests: readonly PortRequest[], pool?: string): Promise<PortMapping[] | 'later'>
  /** Adjusts the pools to the wanted ones, and returns the servers that now wait in each. */
  keepWarm(pools: readonly WarmPool[]): Promise<readonly WarmServers[]>
  /** Returns whether there is room for a server; asked before an attempt is recorded. An orchestrator without limits always has room. */
  admit(wish: RoomWish): Promise<RoomAnswer>
  launch(spec: LaunchSpec): Promise<LaunchResult>
  stop(instanceId: string, options: { graceMs: number } & Where): Promise<void>
  /**
   * Returns the observed servers. With `of` the answer contains at least this instance, in its present state, with every acknowledged
   * change. Without `of` the answer may be slightly older when the platform is far away, but includes every launch of this service. `among`
   * limits the answer to these instances, so that its cost need not grow with all servers. Throws UNAVAILABLE when nothing can be observed,
   * and with `of` when that instance cannot be observed. An instance that is missing in the answer does not exist.
   */
  observe(of?: string, where?: Where & Among): Promise<ObservedServer[]>
  /** Frees the resources of an ended instance, such as its configuration file and its cgroup. Its logs stay readable. */
  forget(instanceId: string, where?: Where): Promise<void>
  /**
   * Removes local files of builds that the build store no longer has. Files of running servers stay. Called after an archive was removed,
   * and periodically, for archives that were removed through another node.
   */
  prune(): Promise<void>
  /** Returns the newest `limit` log lines at or after `since`, oldest first. */
  logs(instanceId: string, options: { limit: number; since?: Instant } & Where): Promise<ServerLogLine[]>
  /** Validates and pins a container image. An orchestrator that runs only ZIP builds returns the reason as `message`. */
  prepareImage(
    image: string,
    log: (level: 'info' | 'warn' | 'error', message: string) => void,
  ): Promise<
    | { readonly ok: true; readonly image: string; readonly sizeBytes: number }
    | { readonly ok: false; readonly message: string }
  >
  /**
   * Calls the listener with the id of an instance whose state may have changed, or with an empty id when there is more capacity. The call
   * is only a hint: `observe` and `admit` return the truth. Without hints core checks instances every few seconds when servers are shared,
   * else every second. Returns a function that ends the subscription.
   */
  subscribe(listener: (instanceId: string) => void): () => void
}
