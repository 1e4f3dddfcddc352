import type { BuildType } from '../build/build'
import type { Region } from '../catalog/regions'
import type { Tier, TierSize } from '../catalog/tiers'
import type { NodeLimits } from '../machine/limits'
import type { Environment } from '../server/environment'
import type { PortMapping, PortRequest } from '../server/game-server'
import type { ServerLogLine } from '../server/log-line'
import type { Readiness } from '../server/readiness'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { TraceParent } from './tracing'

export type { ServerLogLine }

/** Build that a launch uses. Its version, or its image digest, is fixed. */
export type LaunchBuild =
  | { readonly type: 'zip'; readonly buildId: string; readonly executablePath: string }
  | { readonly type: 'docker_image'; readonly buildId: string; readonly image: string }

/** One spawn of a game server, identified by (instanceId, attempt). The ports are recorded before the launch. */
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
   * Arguments of the command, split by the quoting rules of a shell but never passed to a shell. After the split, `${NAME}` is replaced in
   * each argument.
   */
  readonly startupArgs: string
  /**
   * Further environment variables of the program; absent when there are none. Only the program itself gets them, and no helper that starts
   * it outside its sandbox. The values may contain secrets, so they do not appear on a command line, in a log or in a file.
   */
  readonly environment?: Environment
  /** Names of the variables in `environment` that contain a secret; absent when none does. */
  readonly secretVariables?: readonly string[]
  /** Text that differs when the variables, or the values of their secrets, differ. It contains no value of a secret. */
  readonly environmentKey?: string
  /**
   * Seconds from SIGTERM to SIGKILL when the platform itself ends the program; absent for its usual time. Stops by the service name their
   * own time.
   */
  readonly stopGraceSeconds?: number
  /** External ports of the server; empty when the orchestrator assigns ports after the launch. */
  readonly networkPorts: readonly PortMapping[]
  /** Ports that the queue or the caller requested; `networkPorts` holds one port for each request. */
  readonly portRequests: readonly PortRequest[]
  /**
   * Condition on which the orchestrator observes the server as `ready`. With `self` the server reports its readiness to the service, and
   * the orchestrator never observes it as `ready`.
   */
  readonly readiness: Readiness
  /** Content of the server's configuration file `/svc/its_svc.json`. */
  readonly config: JsonObject
  /** Trace context of the launch, passed to the server in the environment variable `TRACEPARENT`. Absent without tracing. */
  readonly trace?: TraceParent
}

/** Properties that servers of one pool have in common. Waiting servers with the same properties are interchangeable. */
export type WarmShape = Pick<
  LaunchSpec,
  | 'projectId'
  | 'region'
  | 'tier'
  | 'tierSize'
  | 'build'
  | 'startupArgs'
  | 'environment'
  | 'secretVariables'
  | 'environmentKey'
  | 'stopGraceSeconds'
  | 'portRequests'
  | 'readiness'
>

/** Returns how many servers of a pool should wait, when `playing` servers of the pool are in matches. */
export const warmTarget = ({ min, buffer, most = Number.POSITIVE_INFINITY }: WarmPool, playing: number): number =>
  Math.min(most, Math.max(buffer, min - playing))

/** Pool of servers of one shape that are started before a match needs them. */
export interface WarmPool extends WarmShape {
  /** Minimum number of servers: those that wait and those in matches, added up. */
  readonly min: number
  /** Number of servers that should wait. */
  readonly buffer: number
  /** Maximum number of waiting servers, even when `min` or `buffer` asks for more; absent: no maximum. */
  readonly most?: number
}

/** Servers of a pool that wait for a match, each with a stable name that the orchestrator chose. */
export interface WarmServers {
  /** `warmKey` of the pool. */
  readonly key: string
  readonly ready: readonly string[]
}

/**
 * Returns the key of a pool. A launch takes a waiting server only from the pool with the same key. The key has no maximum length. An
 * adapter that stores it as a label of a platform uses a hash of the key.
 */
export const warmKey = ({
  projectId,
  build,
  region,
  tier,
  portRequests,
  startupArgs,
  environmentKey,
  stopGraceSeconds,
  readiness,
}: WarmShape): string => {
  const ports = portRequests.map((port) => [port.name, port.protocol, port.internalPort, port.tlsEnabled])
  return JSON.stringify([
    projectId,
    build.buildId,
    region,
    tier,
    ports,
    startupArgs,
    readiness,
    environmentKey ?? null,
    stopGraceSeconds ?? null,
  ])
}

export type LaunchResult =
  | { readonly ok: true }
  /**
   * Reason of a failed launch.
   * - `address_in_use`: a port is taken; try again with other ports.
   * - `no_room`: no capacity; wait without counting an attempt.
   * - `away`: a machine that the launch needs does not answer; launch the same attempt again.
   * - `machine`: this machine cannot start servers now, for a reason of its own such as a full disk; another machine may.
   * - `retry`: another attempt may succeed.
   * - `final`: no attempt can succeed.
   */
  | {
      readonly ok: false
      readonly reason: 'address_in_use' | 'no_room' | 'away' | 'machine' | 'retry' | 'final'
      readonly message: string
    }

/** A server that holds capacity on this node according to the records, whether or not it runs at present. */
export interface HeldRoom {
  readonly instanceId: string
  readonly tierSize: TierSize
}

/** Question whether one more server would fit on this node. The records do not count its attempt yet. */
export interface RoomWish {
  readonly instanceId: string
  readonly region: Region
  readonly tier: Tier
  readonly tierSize: TierSize
  /** Build whose archive the server needs; null when the server needs no archive, or when the question is only about capacity. */
  readonly archiveOf: string | null
  /**
   * Returns the recorded servers that hold capacity on this node. The orchestrator adds the running servers without a record. `admit` calls
   * this function only when it needs the answer.
   */
  readonly held: () => Promise<readonly HeldRoom[]>
}

/**
 * Answer to a `RoomWish`. `full`: there is no capacity now. `too_large`: the server does not fit even on an empty node. `no_archive`: this
 * node cannot read the archive, but another node may. The message is a sentence for a developer.
 */
export type RoomAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'full' | 'too_large' | 'no_archive'; readonly message: string }

export interface ServerExit {
  readonly code: number | null
  readonly signal: string | null
  /**
   * Cause that the platform gave, for instance `out_of_memory`; absent without such a cause. `no_sandbox`: the machine could not set up the sandbox, so
   * that the program of the game server never ran, and another machine may run it.
   */
  readonly reason?: string
  /** Instant of the exit. When the exit itself was not observed: the instant at which the server was last seen running. */
  readonly at: Instant
}

/**
 * Observed state of an instance.
 * - `starting`: the server runs and is not ready.
 * - `ready`, with `readiness: 'port'`: every TCP port accepts connections, and this server has bound every UDP port. Without ports, or when
 *   the platform does not reveal the owner of a port, the server is ready after it has run for a second.
 * - `ready`, with `uptime`: the server has run for a second.
 *
 * A ready server stays ready until it exits.
 */
export interface ObservedServer {
  readonly instanceId: string
  readonly attempt: number
  readonly state: 'starting' | 'ready' | 'exited'
  /** How the server ended; null unless the state is `exited`. */
  readonly exit: ServerExit | null
  /** Conditions that a `starting` server does not fulfil yet, as a clause for a developer: the requested ports and the bound ports. */
  readonly waitsFor?: string
  /**
   * Ports of the server, for an orchestrator that assigns ports after the launch. Absent until the orchestrator knows all
   * of them; always present when `ready`.
   */
  readonly networkPorts?: readonly PortMapping[]
  /** Name under which the server waited in a pool; absent for a server that waited in no pool. */
  readonly warm?: string
  /** Start time of the process of a server that is not ready. Absent without a process, and when the platform does not report the time. */
  readonly startedAt?: Instant
}

/** Location of the instance that a call is about: the region in its record, which never changes. Absent without a record. */
export interface Where {
  readonly region?: Region | undefined
}

/** Instances to which an observation may be limited. An answer with other instances too is correct. */
export interface Among {
  readonly among?: ReadonlySet<string>
}

/**
 * Runs game servers. The service compares the result of `observe` with its records again and again, so every call may be repeated:
 * - `launch` of an (instanceId, attempt) that was launched before is `ok` and starts nothing, even after a crash in between. When an
 *   earlier attempt of the instance still runs, it is ended before a later attempt starts. An attempt older than the newest is refused.
 * - `observe` lists every process or container of this installation on this node until `forget`, including those that another service
 *   process started.
 * - `admit` says whether there is room for one more server besides the recorded and the running ones. The call reserves nothing, and the
 *   service calls it for one server after the other. `launch` never runs more servers at once than there is room for, even when more were
 *   admitted.
 * - `stop` sends SIGTERM, waits `graceMs`, then kills, in the background. It also waits for child processes that outlive the first process.
 *   Stopping an instance that is gone succeeds.
 * - An instance that ended is observed as `exited` until `forget`.
 * - `keepWarm` gets all wanted pools at every call and adjusts the pools. It starts missing servers, and removes surplus servers, servers
 *   of unwanted pools and ended servers. A waiting server is not in the result of `observe`, takes no capacity from a launch, and has no
 *   configuration. The `launch` that takes the server configures it; the server then belongs to that instance alone. When the waiting
 *   server ends before that, the launch starts a new server, as without pools.
 * - With servers in several places (a cluster for each region), a region that does not answer does not block the other regions. A call
 *   about one instance names its region and contacts only that region. A call that cannot be carried out throws soon, because the service
 *   has other instances to handle. `observe` of all instances leaves out the instances of regions that do not answer. The service does not
 *   treat missing instances as gone before it has observed each of them alone.
 * - Damaged data of one instance does not affect the other instances: they are still launched, stopped and observed, and `open` completes.
 *   A damaged instance that still runs is observed and can be stopped.
 */
export interface Orchestrator {
  readonly name: string
  /**
   * Name under which all nodes with this orchestrator see and control the same servers, for example those of one cluster. All these nodes
   * have the same name here, and it is not the id of any node. Absent: a server belongs to the node that launched it.
   */
  readonly sharedAs?: string
  /**
   * Name of another process of this node that runs the servers for this process. The storage then records the servers under the name of
   * that process. Absent: the storage records them under the name of this process.
   */
  readonly runsFor?: string
  /**
   * Whether this process runs no game servers, because the machines of the installation are those of agents (`agents.connect`). Absent: the
   * process runs game servers, or no process does.
   */
  readonly noMachine?: boolean
  /** Regions that the configuration of the orchestrator names. Absent: the regions of the node (`regions`). */
  readonly regions?: readonly Region[]
  /** Limits of the servers that run here. The service compares machines by them; `admit` still decides. Absent: no limits. */
  readonly limits?: NodeLimits
  readonly capabilities: {
    /** Types of the builds that run here. */
    readonly buildTypes: readonly BuildType[]
    /** Sentences for the log and for `doctor`: one for each limit or isolation that this machine cannot enforce. */
    readonly limitations: readonly string[]
    /** Whether the orchestrator can start servers before a launch needs them. When false, `keepWarm` does nothing. */
    readonly keepsWarm: boolean
    /** Whether the orchestrator never starts servers with `secretVariables` before a launch needs them. Default: no. */
    readonly keepsSecretsCold?: boolean
    /**
     * Whether the orchestrator gives TLS to ports with `tlsEnabled`, so that the server itself listens without TLS. When false, such servers
     * cannot start here. Absent: TLS of a port is a matter of the server itself.
     */
    readonly endsTls?: boolean
  }
  /** Finds the servers that a previous process of the service started and that still run. Called once, before every other call. */
  open(): Promise<void>
  /** Releases the resources of the adapter. Game servers continue to run. */
  close(): Promise<void>
  /**
   * Proposes a free external port for each request. The commit that records the ports decides about conflicts, and a port may still be
   * taken at the launch. `later`: the platform assigns ports itself, and `observe` reports them.
   *
   * `pool` is the `warmKey` of the launch. When a server with ports waits in that pool, its ports are proposed, and the launch with these
   * ports takes that server.
   */
  proposePorts(requests: readonly PortRequest[], pool?: string): Promise<PortMapping[] | 'later'>
  /** Adjusts the pools to the wanted pools, and returns the servers that wait in each pool afterwards. */
  keepWarm(pools: readonly WarmPool[]): Promise<readonly WarmServers[]>
  /**
   * Returns whether there is room for a server. The service asks before it records an attempt. An orchestrator without limits always has
   * room.
   */
  admit(wish: RoomWish): Promise<RoomAnswer>
  launch(spec: LaunchSpec): Promise<LaunchResult>
  stop(instanceId: string, options: { graceMs: number } & Where): Promise<void>
  /**
   * Returns the observed servers. With `of` the answer contains at least this instance, in its present state, with every acknowledged
   * change. Without `of` the answer may be slightly older when the platform is far away, but it includes every launch by this service.
   * `among` limits the answer to the given instances, so that its cost need not grow with the number of all servers.
   *
   * Throws UNAVAILABLE when nothing can be observed, and with `of` when that instance cannot be observed. An instance that is missing in
   * the answer does not exist.
   */
  observe(of?: string, where?: Where & Among): Promise<ObservedServer[]>
  /** Frees the resources of an ended instance, such as its configuration file and its cgroup. Its logs stay readable. */
  forget(instanceId: string, where?: Where): Promise<void>
  /**
   * Removes local files of builds that the build store no longer has. Files of running servers stay. The service calls this after it
   * removed an archive, and periodically, because other nodes remove archives too.
   */
  prune(): Promise<void>
  /** Returns the newest `limit` log lines at or after `since`, oldest first. */
  logs(instanceId: string, options: { limit: number; since?: Instant } & Where): Promise<ServerLogLine[]>
  /**
   * Validates a container image and returns its reference with a fixed digest. An orchestrator that runs only ZIP builds returns the reason
   * for the refusal as `message`.
   */
  prepareImage(
    image: string,
    log: (level: 'info' | 'warn' | 'error', message: string) => void,
  ): Promise<
    | { readonly ok: true; readonly image: string; readonly sizeBytes: number }
    | { readonly ok: false; readonly message: string }
  >
  /**
   * Calls the listener with the id of an instance whose state may have changed, or with an empty id when more capacity became free. The
   * call is only a hint: `observe` and `admit` return the facts. Without hints the service checks instances every few seconds when servers
   * are shared, else every second. Returns a function that ends the subscription.
   */
  subscribe(listener: (instanceId: string) => void): () => void
}
