import type { BuildType } from '../build/build'
import type { Region } from '../catalog/regions'
import type { Tier, TierSize } from '../catalog/tiers'
import type { PortMapping, PortRequest } from '../server/game-server'
import type { Readiness } from '../server/readiness'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { TraceParent } from './tracing'

/** What runs: the pinned build, as the launch needs it. */
export type LaunchBuild =
  | { readonly type: 'zip'; readonly buildId: string; readonly executablePath: string }
  | { readonly type: 'docker_image'; readonly buildId: string; readonly image: string }

/** One spawn of one game server. (instanceId, attempt) names it; ports are already in the record. */
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
  /** What `networkPorts` were, or are to be, given for. */
  readonly portRequests: readonly PortRequest[]
  /** When it is observed as `ready`. With `self` it never is: core hears of it from the server. */
  readonly readiness: Readiness
  /** The content of `/svc/its_svc.json`. */
  readonly config: JsonObject
  /** The place in a trace of which the server is a part, for its environment: `TRACEPARENT`. Left out where nobody traces. */
  readonly trace?: TraceParent
}

/** What servers are alike in that may stand in for one another until they are told what they are for. */
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

/** What waits in a pool, each by a name of the orchestrator's own that stays the same. */
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
   * `address_in_use`: give it other ports and try again. `no_room`: it waits until there is room, and this was no attempt. `away`: what it
   * needs is on a machine that does not answer; the same attempt is launched again. `retry`: another attempt may work. `final`: none will.
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

/** What is to be launched, before anything of it is recorded. */
export interface RoomWish {
  readonly instanceId: string
  readonly region: Region
  readonly tier: Tier
  readonly tierSize: TierSize
  /** The build whose archive is to run; null where none is needed, or asked about. */
  readonly archiveOf: string | null
  /** All others that hold room on this node; what runs besides is the orchestrator's to know. Asked for only where it matters. */
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
 * What really is there. `starting`: up, not yet ready. `ready`, with `readiness: 'port'`: every TCP port accepts and every UDP port is
 * bound by this very server, or, where it has no ports or the platform cannot tell who has bound one, it has stayed up for a second;
 * with `uptime`: it has stayed up for a second. Once ready, it stays so until it has exited.
 */
export interface ObservedServer {
  readonly instanceId: string
  readonly attempt: number
  readonly state: 'starting' | 'ready' | 'exited'
  /** Set when `exited`. */
  readonly exit: ServerExit | null
  /** Of one that is `starting`, where that can be told: what it lacks, as a clause for a developer (which ports were asked for, which are bound). */
  readonly waitsFor?: string
  /** Of an orchestrator that gives ports later: which it has, from the moment that they are known; always of one that is `ready`. */
  readonly networkPorts?: readonly PortMapping[]
  /** Of one that was taken from a pool: the name under which it waited there. */
  readonly warm?: string
  /** Of one that is not ready: when its process was started. Left out where none was, or nobody can tell. */
  readonly startedAt?: Instant
}

/** Where an instance is, for a call about it alone: the region of its record, which never changes; left out where there is no record. */
export interface Where {
  readonly region?: Region | undefined
}

/** Of which instances all is to be told; who tells more does no harm. */
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
 * - `launch` of an (instanceId, attempt) that was launched before is `ok` and starts nothing, whatever happened between; what still runs
 *   of an earlier attempt of the instance ends before a later one starts, and an attempt that a later one has overtaken is refused;
 * - `observe` lists every process or container of this installation on this node, also those of another service process, until it is forgotten;
 * - `admit` says whether there is room for one more beside what is held by the records and what runs; it keeps no room by itself, and core
 *   asks for one after the other. `launch` never runs more at once than there is room for, whatever was admitted;
 * - `stop` asks (SIGTERM), waits `graceMs`, also for what its first process started and has left behind, then kills, in the background;
 *   stopping what is gone is fine;
 * - an instance that ended is observed as `exited` until `forget`;
 * - `keepWarm` is told every pool that is wanted, again and again, and makes what is there like that: what lacks is started, what is too many, of
 *   no pool that is wanted, or ended is removed. What waits is observed by nobody, takes no room from a launch, and has no
 *   configuration: it is given one by the `launch` that takes it, and is that instance's from then on, and never another's. One that
 *   ends while it waits costs no launch anything: that one is started as if there were no pools;
 * - where servers are spread (a cluster for each region), a place that does not answer is no hindrance to the others: a call about one instance
 *   is told its region and needs what runs that alone, and one that cannot be carried out throws, soon, for whoever calls has others in hand.
 *   `observe` of all leaves out what cannot be told now. Core never takes that for gone: it first asks about the instance alone;
 * - each instance stands alone: whatever has become of what is kept of one, the others are launched, stopped and observed,
 *   and `open` comes to its end; what still runs of the damaged one is observed, and ends when it is stopped.
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
   * A free external port per request. Only a proposal: the commit that records it decides, and it may be gone at the launch. `later`: the
   * platform gives ports itself, and `observe` tells them. `pool` is the `warmKey` of what is to be launched: where one of it waits whose ports
   * were given to it when it was started, these are proposed, and the launch with them takes that one.
   */
  proposePorts(requests: readonly PortRequest[], pool?: string): Promise<PortMapping[] | 'later'>
  /** Answers, of each pool that is wanted, what waits in it now. */
  keepWarm(pools: readonly WarmPool[]): Promise<readonly WarmServers[]>
  /** Asked before an attempt is recorded. An installation without limits always has room. */
  admit(wish: RoomWish): Promise<RoomAnswer>
  launch(spec: LaunchSpec): Promise<LaunchResult>
  stop(instanceId: string, options: { graceMs: number } & Where): Promise<void>
  /**
   * `of`: of this instance at least, as it is now, with every change that was acknowledged to anybody. What is told of all may be a little
   * older where the platform is far away, yet holds whatever this service itself has launched; `among` asks for no more of it than these, so
   * that what is told need not cost what there is. Throws UNAVAILABLE where nothing can be told, and with `of` where that one cannot: what is not
   * in the answer then is not there.
   */
  observe(of?: string, where?: Where & Among): Promise<ObservedServer[]>
  /** Frees what an ended instance still holds (its copy of the configuration, its cgroup); its logs stay readable. */
  forget(instanceId: string, where?: Where): Promise<void>
  /**
   * Frees what it keeps here of builds that the build store no longer has, and of no other; what runs is left alone. Called once an
   * archive was removed, and now and then, for archives that were removed by way of another node.
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
   * A hint that an instance's state changed, or that there is more room than before (then the id is empty); `observe` and `admit` are the truth.
   * What was not hinted at is looked at every few seconds where servers are shared, and else every second.
   */
  subscribe(listener: (instanceId: string) => void): () => void
}
