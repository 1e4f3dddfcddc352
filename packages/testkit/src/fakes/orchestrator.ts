import type { PortMapping, PortRequest, Region } from '@matchyard/core'
import { ServiceError } from '@matchyard/core'
import {
  type Among,
  type Clock,
  type LaunchResult,
  type LaunchSpec,
  type NodeLimits,
  type ObservedServer,
  type Orchestrator,
  othersOf,
  type RoomAnswer,
  type RoomWish,
  roomBeside,
  type ServerExit,
  type ServerLogLine,
  type WarmPool,
  type WarmServers,
  type Where,
  warmKey,
  warmTarget,
} from '@matchyard/core/ports'

/**
 * Result of a launch.
 * - `ready`: the server runs and accepts players at once.
 * - `starting`: the server runs, and becomes ready when the test calls `makeReady`.
 * - `waitsFor`: like `starting`, and `observe` reports this text as the condition that the server waits for.
 * - `exits`: the server ends at once with this code, and with this cause if there is one.
 * - All other values: the orchestrator refuses the launch with this reason.
 */
export type LaunchScript =
  | 'ready'
  | 'starting'
  | {
      /** Condition that `observe` reports. */
      waitsFor: string
    }
  | {
      /** Exit code of the server. */
      exits: number
      /** Reason that `observe` reports with the exit. */
      reason?: string
    }
  | 'address_in_use'
  | 'no_room'
  | 'away'
  | 'machine'
  | 'retry'
  | 'final'

interface Run {
  readonly spec: LaunchSpec
  readonly waitsFor: string | undefined
  /** Ports that the launch assigned; undefined where the launch spec contained the ports. */
  readonly ports: readonly PortMapping[] | undefined
  /** Id of the warm server that the launch took; undefined when the launch took no warm server. */
  readonly warm: string | undefined
  readonly startedAt: number
  state: ObservedServer['state']
  exit: ServerExit | null
}

const FIRST_PORT = 30_000
const HOST = '127.0.0.1'

/** An orchestrator without processes; a test decides what happens to each server. */
export class FakeOrchestrator implements Orchestrator {
  /** Always `fake`. */
  readonly name = 'fake'
  /** Whether ports with TLS get it from the orchestrator; when false, servers with such ports cannot start here. */
  endsTls = true
  /** Abilities of the orchestrator: both kinds of builds, and warm servers. */
  get capabilities() {
    return {
      /** Both kinds of builds. */
      buildTypes: ['zip', 'docker_image'] as const,
      /** No limitations. */
      limitations: [],
      /** Warm servers are kept. */
      keepsWarm: true,
      /** The value of the field of the same name. */
      endsTls: this.endsTls,
    }
  }
  /** The specs of all launches, including refused launches. */
  readonly launches: LaunchSpec[] = []
  /** The stops that the service asked for, in order. */
  readonly stops: {
    /** Id of the server. */
    readonly instanceId: string
    /** Milliseconds until the server is killed. */
    readonly graceMs: number
  }[] = []
  /** Replace this function to choose the result of each launch. */
  script: (spec: LaunchSpec) => LaunchScript = () => 'ready'
  /** Limits on the servers that run at the same time. */
  limits: NodeLimits = {}
  /** Whether ports are assigned during the launch, so that only `observe` returns them. */
  givesPortsLater = false
  /**
   * Regions that cannot be reached now. Servers in these regions continue to run, but `observe` does not report them.
   */
  readonly away = new Set<Region>()
  /** Builds whose archives are not visible on this machine. */
  readonly unseenArchives = new Set<string>()
  private readonly runs = new Map<string, Run>()
  private readonly launched = new Set<string>()
  private readonly lines = new Map<string, ServerLogLine[]>()
  private readonly listeners = new Set<(instanceId: string) => void>()
  private nextPort = FIRST_PORT

  constructor(private readonly clock: Clock) {}

  async open(): Promise<void> {}
  async close(): Promise<void> {}

  async proposePorts(requests: readonly PortRequest[], pool?: string): Promise<PortMapping[] | 'later'> {
    if (this.givesPortsLater) return 'later'
    const [offered] = this.waiting.filter(({ key }) => key === pool)
    return offered === undefined ? this.portsFor(requests) : [...offered.ports]
  }

  /** The warm servers that no launch has taken yet, oldest first. */
  waiting: {
    /** Id of the warm server. */
    readonly id: string
    /** Key of the pool of the server. */
    readonly key: string
    /** Ports of the server. */
    readonly ports: readonly PortMapping[]
  }[] = []
  /** The warm pools that the last call of `keepWarm` asked for. */
  pools: readonly WarmPool[] = []
  private nextWarm = 1

  async keepWarm(pools: readonly WarmPool[]): Promise<readonly WarmServers[]> {
    this.pools = pools
    const given = [...this.runs.values()].filter(({ warm, state }) => warm !== undefined && state !== 'exited')
    const kept = pools.flatMap((pool) => {
      const key = warmKey(pool)
      const allocated = given.filter(({ spec }) => warmKey(spec) === key).length
      const wanted = warmTarget(pool, allocated)
      const there = this.waiting.filter((one) => one.key === key).slice(0, wanted)
      while (there.length < wanted)
        there.push({ id: `warm_${this.nextWarm++}`, key, ports: this.portsFor(pool.portRequests) })
      return there
    })
    this.waiting = kept
    return pools.map((pool) => {
      const key = warmKey(pool)
      return { key, ready: kept.filter((one) => one.key === key).map(({ id }) => id) }
    })
  }

  /**
   * Returns a warm server with the ports of the spec and removes it from `waiting`. When ports are assigned during the
   * launch, the method takes any warm server of the same kind.
   */
  private take(spec: LaunchSpec): (typeof this.waiting)[number] | undefined {
    const fits = ({ ports }: (typeof this.waiting)[number]) =>
      this.givesPortsLater || JSON.stringify(ports) === JSON.stringify(spec.networkPorts)
    const taken = this.waiting.find((one) => one.key === warmKey(spec) && fits(one))
    this.waiting = this.waiting.filter((one) => one !== taken)
    return taken
  }

  private portsFor(requests: readonly PortRequest[]): PortMapping[] {
    return requests.map((request) => ({ ...request, externalPort: this.nextPort++, host: HOST }))
  }

  async admit({ instanceId, tierSize, archiveOf, held }: RoomWish): Promise<RoomAnswer> {
    if (archiveOf !== null && this.unseenArchives.has(archiveOf))
      return { ok: false, reason: 'no_archive', message: `the archive of ${archiveOf} is not seen` }
    return roomBeside(this.limits, othersOf(instanceId, await held(), this.running()), tierSize)
  }

  private running() {
    return [...this.runs.values()].flatMap(({ spec, state }) =>
      state === 'exited' ? [] : [{ instanceId: spec.instanceId, tierSize: spec.tierSize }],
    )
  }

  /** Launches a server, with the result that `script` chooses. */
  async launch(spec: LaunchSpec): Promise<LaunchResult> {
    this.reach(spec.instanceId, spec)
    const attempt = `${spec.instanceId}/${spec.attempt}`
    if (this.launched.has(attempt)) return { ok: true }
    this.launches.push(spec)
    const script = this.script(spec)
    if (
      script === 'address_in_use' ||
      script === 'no_room' ||
      script === 'away' ||
      script === 'machine' ||
      script === 'retry' ||
      script === 'final'
    ) {
      return { ok: false, reason: script, message: `the script says ${script}` }
    }
    const room = roomBeside(this.limits, othersOf(spec.instanceId, [], this.running()), spec.tierSize)
    if (!room.ok) return { ok: false, reason: 'no_room', message: room.message }
    this.launched.add(attempt)
    const waitsFor = typeof script === 'object' && 'waitsFor' in script ? script.waitsFor : undefined
    const taken = this.take(spec)
    const ports = this.givesPortsLater ? (taken?.ports ?? this.portsFor(spec.portRequests)) : undefined
    this.runs.set(spec.instanceId, {
      spec,
      waitsFor,
      ports,
      warm: taken?.id,
      startedAt: this.clock.now(),
      state: script === 'ready' ? 'ready' : 'starting',
      exit: null,
    })
    if (typeof script === 'object' && 'exits' in script)
      this.exit(spec.instanceId, { code: script.exits, reason: script.reason })
    else this.tell(spec.instanceId)
    return { ok: true }
  }

  /** Makes a server ready for players. */
  makeReady(instanceId: string): void {
    const run = this.runs.get(instanceId)
    if (run === undefined || run.state === 'exited') throw new Error(`${instanceId} does not run`)
    run.state = 'ready'
    this.tell(instanceId)
  }

  /** Ends a process, by default with code 0. */
  exit(
    instanceId: string,
    exit: { code?: number | null; signal?: string | null; reason?: string | undefined } = {},
  ): void {
    const run = this.runs.get(instanceId)
    if (run === undefined || run.state === 'exited') return
    const { code = 0, signal = null, reason } = exit
    run.state = 'exited'
    run.exit = { code, signal, at: this.clock.now(), ...(reason === undefined ? {} : { reason }) }
    this.tell(instanceId)
  }

  /** Prints a line to the log of a process. */
  print(instanceId: string, message: string, stream: ServerLogLine['stream'] = 'stdout'): void {
    const lines = this.lines.get(instanceId) ?? []
    lines.push({ at: this.clock.now(), stream, message })
    this.lines.set(instanceId, lines)
  }

  /** Stops a server. Its process ends at once. */
  async stop(instanceId: string, options: { graceMs: number } & Where): Promise<void> {
    this.reach(instanceId, options)
    this.stops.push({ instanceId, graceMs: options.graceMs })
    this.exit(instanceId, { code: null, signal: 'SIGTERM' })
  }

  async observe(of?: string, where: Where & Among = {}): Promise<ObservedServer[]> {
    if (of !== undefined) this.reach(of, where)
    const { among } = where
    const told = [...this.runs].filter(
      ([instanceId, { spec }]) => !this.away.has(spec.region) && among?.has(instanceId) !== false,
    )
    return told.map(([instanceId, { spec, state, exit, waitsFor, ports, warm, startedAt }]) => ({
      instanceId,
      attempt: spec.attempt,
      state,
      exit,
      ...(state === 'starting' && waitsFor !== undefined ? { waitsFor } : {}),
      ...(ports === undefined ? {} : { networkPorts: ports }),
      ...(warm === undefined ? {} : { warm }),
      ...(state === 'ready' ? {} : { startedAt }),
    }))
  }

  async forget(instanceId: string, where?: Where): Promise<void> {
    this.reach(instanceId, where)
    this.runs.delete(instanceId)
  }

  /** Number of calls of `prune`, which frees the space of removed builds. The fake only counts them. */
  prunes = 0
  async prune(): Promise<void> {
    this.prunes++
  }

  async logs(instanceId: string, options: { limit: number; since?: number } & Where): Promise<ServerLogLine[]> {
    this.reach(instanceId, options)
    const { limit, since = Number.NEGATIVE_INFINITY } = options
    return (this.lines.get(instanceId) ?? []).filter(({ at }) => at >= since).slice(-limit)
  }

  async prepareImage(image: string, log: (level: 'info' | 'warn' | 'error', message: string) => void) {
    log('info', `pulled ${image}`)
    return { ok: true, image: `${image}@sha256:${'0'.repeat(64)}`, sizeBytes: 1 } as const
  }

  subscribe(listener: (instanceId: string) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private reach(instanceId: string, where: Where = {}): void {
    const region = this.runs.get(instanceId)?.spec.region ?? where.region
    if (region !== undefined && this.away.has(region))
      throw new ServiceError('UNAVAILABLE', `nobody answers in ${region}`)
  }

  private tell(instanceId: string): void {
    for (const listener of this.listeners) listener(instanceId)
  }
}
