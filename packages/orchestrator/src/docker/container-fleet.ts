import type { PortMapping, PortRequest } from '@matchyard/core'
import {
  type BuildStore,
  type Clock,
  KeyedQueue,
  type LaunchResult,
  type LaunchSpec,
  type Logger,
  type NodeLimits,
  type ObservedServer,
  type RoomAnswer,
  type RoomWish,
  type ServerLogLine,
  type WarmPool,
  type WarmServers,
} from '@matchyard/core/ports'
import type { Certificate } from '../kit/certificate'
import {
  checkedInstanceId,
  type PortFinder,
  ReadinessJudge,
  RoomKeeper,
  readBootId,
  UnpackedBuilds,
} from '../kit/index'
import { Containers, hasEnded, isAlive, isUnstarted, takesRoom } from './containers'
import { asking, type Engine, EngineUnavailable, engineAt, wordsOf } from './engine'
import { Fronts } from './fronts'
import { Hints } from './hints'
import type { ImagePolicy } from './images/image-policy'
import { ImageShelf } from './images/image-shelf'
import { type ImageLog, type PreparedImage, prepareImage } from './images/prepare-image'
import { Launcher } from './launcher'
import { Layout } from './layout'
import { limitationsOf, UNREACHABLE, UNSEEN } from './limitations'
import { containerLogs } from './logs'
import { ensureNetworks, type Networks } from './networks'
import { Programs } from './programs'
import { Stops } from './stops'
import { Survey } from './survey'
import { WarmPools } from './warm-pools'

export interface FleetOptions {
  readonly dataDirectory: string
  readonly buildStore: Pick<BuildStore, 'has' | 'unpack'>
  readonly installationId: string
  readonly clock: Clock
  readonly logger: Logger
  readonly engineHost: string
  readonly baseImage: string
  readonly images: ImagePolicy
  readonly network: string | undefined
  readonly shieldMetadata: boolean
  readonly logBytes: number
  readonly keptEnded: number
  /** Limits of this node: the most servers, CPUs and memory that run at the same time. */
  readonly room: NodeLimits
  readonly ports: PortFinder
  /** The host name or IP address to which players connect. */
  readonly host: string
  readonly maxWarmServers: number
  /** Certificate for ports with TLS. */
  readonly certificate: Certificate | undefined
  readonly innerPorts: PortFinder
}

interface Works {
  readonly engine: Engine
  readonly containers: Containers
  readonly survey: Survey
  readonly shelf: ImageShelf
  readonly builds: UnpackedBuilds
  readonly programs: Programs
  readonly launcher: Launcher
  readonly pools: WarmPools
  readonly stops: Stops
  readonly fronts: Fronts
}

/** All game servers of one installation in one container engine. */
export class ContainerFleet {
  limitations: readonly string[] = [UNREACHABLE]

  private readonly layout: Layout
  private readonly turns = new KeyedQueue()
  private readonly hints: Hints
  private readonly room: RoomKeeper
  private works: Works | undefined
  private readiness: Promise<Networks> | undefined

  constructor(private readonly options: FleetOptions) {
    const { installationId, dataDirectory } = options
    this.layout = new Layout(dataDirectory)
    this.room = new RoomKeeper(options.room, async () => (await this.opened().containers.list()).filter(takesRoom))
    const engine = async () => this.opened().engine
    this.hints = new Hints(engine, installationId, () => this.opened().survey.observe())
  }

  /**
   * Rejects when the settings are wrong. Does not reject when the engine is unreachable: then launches fail until the
   * engine responds.
   */
  async open(): Promise<void> {
    const { logger } = this.options
    await this.layout.prepare()
    this.works = await this.assemble()
    try {
      await this.ready()
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error
      logger.error('no game server can be launched until the container engine answers', { error: wordsOf(error.cause) })
    }
    for (const limitation of this.limitations) logger.warn(limitation)
    this.hints.wake()
  }

  close(): void {
    this.hints.close()
  }

  async proposePorts(requests: readonly PortRequest[], pool: string | undefined): Promise<PortMapping[]> {
    const { ports, host } = this.options
    const offered = pool === undefined ? undefined : this.works?.pools.offer(pool, requests, host)
    return offered ?? ports.propose(requests)
  }

  async keepWarm(wanted: readonly WarmPool[]): Promise<readonly WarmServers[]> {
    return this.opened().pools.keep(wanted, () => this.ready())
  }

  async admit(wish: RoomWish): Promise<RoomAnswer> {
    return (await this.works?.builds.lacks(wish.archiveOf)) ?? this.room.admit(wish)
  }

  async launch(spec: LaunchSpec): Promise<LaunchResult> {
    checkedInstanceId(spec.instanceId)
    const { launcher, builds } = this.opened()
    return this.turns.run(spec.instanceId, async () => {
      try {
        const networks = await this.ready()
        const result = await builds.holding(spec.build.buildId, () => launcher.launch(spec, networks))
        this.hints.wake()
        // The container has already started, so an error of the cleanup must not fail the launch.
        if (builds.isPruneDue) await this.pruneBuilds().catch(() => {})
        return result
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error
        return { ok: false, reason: 'retry', message: error.message }
      }
    })
  }

  stop(instanceId: string, graceMs: number): Promise<void> {
    const { containers, stops } = this.opened()
    return this.turns.run(instanceId, async () => {
      for (const found of await containers.list(instanceId)) {
        if (isUnstarted(found) && (await containers.removeUnstarted(found))) await this.layout.dropLaunch(found)
        else if (isAlive(found) || isUnstarted(found)) await stops.send(found, graceMs)
      }
    })
  }

  async observe(): Promise<ObservedServer[]> {
    const { survey, fronts, containers } = this.opened()
    const seen = await survey.observe()
    fronts.keep(async () => {
      const [launched, { waiting }] = await Promise.all([containers.list(), containers.listWarm()])
      return [...launched, ...waiting]
    })
    return seen
  }

  forget(instanceId: string): Promise<void> {
    const { containers, launcher } = this.opened()
    return this.turns.run(instanceId, async () => {
      const all = await containers.list(instanceId)
      if (all.some(isAlive)) {
        this.options.logger.warn('a game server that still runs is not forgotten', { instance_id: instanceId })
        return
      }
      for (const found of all) {
        if (hasEnded(found)) await launcher.putAway(found)
        else await containers.removeUnstarted(found)
      }
      await this.layout.dropLaunches(instanceId)
      await this.layout.pruneEnded(this.options.keptEnded)
    })
  }

  async logs(instanceId: string, { limit, since }: { limit: number; since?: number }): Promise<ServerLogLine[]> {
    const { containers } = this.opened()
    const ended = await this.layout.endedLogs(instanceId)
    const found = await containers.list(instanceId)
    const held = await Promise.all(
      found.map(async (one) => ({ attempt: one.attempt, logs: await containerLogs(containers.of(one), limit) })),
    )
    // A container whose log is being copied to the files at this moment appears in both lists.
    const kept = ended.filter(({ attempt }) => held.every((one) => one.attempt !== attempt || one.logs.length === 0))
    const lines = [...kept, ...held].sort((a, b) => a.attempt - b.attempt).flatMap(({ logs }) => logs)
    const recent = since === undefined ? lines : lines.filter(({ at }) => at >= since)
    return limit <= 0 ? [] : recent.slice(-limit)
  }

  prepareImage(image: string, log: ImageLog): Promise<PreparedImage> {
    const { engine, programs } = this.opened()
    const { images: policy, logger } = this.options
    const inspect = (found: Parameters<Programs['inspect']>[0]) => programs.inspect(found)
    return prepareImage({ engine, policy, logger, inspect }, image, log)
  }

  subscribe(listener: (instanceId: string) => void): () => void {
    return this.hints.subscribe(listener)
  }

  private opened(): Works {
    if (this.works === undefined) throw new Error('the orchestrator was not opened')
    return this.works
  }

  private async assemble(): Promise<Works> {
    const { installationId, buildStore, clock, logBytes, logger, images, baseImage, engineHost } = this.options
    const engine = await engineAt(engineHost)
    const containers = new Containers(engine, installationId)
    const shelf = new ImageShelf(engine, images, baseImage, logger)
    const builds = new UnpackedBuilds(this.layout.builds, buildStore, await readBootId())
    const programs = new Programs(engine, installationId, shelf, builds)
    const settings = { installationId, logBytes, onImageGone: () => shelf.forget() }
    const { ports, maxWarmServers: maxWaiting } = this.options
    const parts = { containers, programs, builds, layout: this.layout, room: this.room, ports, clock, logger, settings }
    const { certificate, innerPorts } = this.options
    const fronts = new Fronts(this.layout.fronts, certificate, innerPorts, logger)
    const pools = new WarmPools({ ...parts, fronts, maxWaiting })
    const launcher = new Launcher(containers, programs, this.layout, settings, this.room, pools, fronts)
    const survey = new Survey(containers, this.layout, clock, new ReadinessJudge(() => this.noteUnseen()))
    const stops = new Stops(engine, clock, logger, () => this.hints.wake())
    return { engine, containers, shelf, builds, programs, launcher, survey, pools, stops, fronts }
  }

  /**
   * Adds the limitation UNSEEN (open ports cannot be observed). The service can only detect it when a container runs.
   */
  private noteUnseen(): void {
    this.options.logger.warn(UNSEEN)
    this.limitations = [...this.limitations, UNSEEN]
  }

  /** Prepares the networks and the cleanup once. After a failure, the next call prepares them again. */
  private ready(): Promise<Networks> {
    this.readiness ??= this.getReady().catch((error: unknown) => {
      this.readiness = undefined
      throw error
    })
    return this.readiness
  }

  private async getReady(): Promise<Networks> {
    const { options } = this
    const { engine, containers } = this.opened()
    await asking(engine.api.ping())
    const networks = await ensureNetworks(engine, options.network, options.shieldMetadata)
    const found = await containers.list()
    await this.tidy('removing containers that looked into images', () => containers.removeScratch())
    // An earlier run of the service stopped after it created such a container and before it started the container. A
    // retry of the launch creates a new container.
    for (const one of found.filter(isUnstarted))
      await this.tidy('removing a container that was not started', () => containers.removeUnstarted(one))
    // When warm servers are turned off, `keepWarm` is never called. So warm servers of an earlier run are ended here.
    if (options.maxWarmServers === 0)
      await this.tidy('ending game servers that wait', () => this.opened().pools.endAll())
    await this.pruneBuilds()
    const launched = new Set(found.map(({ instanceId }) => instanceId))
    await this.tidy('removing the logs of old game servers', () => this.layout.prune(options.keptEnded, launched))
    options.logger.info('looked for game servers from before', { found: found.length })
    this.limitations = await limitationsOf(engine, networks)
    return networks
  }

  /** Removes unpacked files of builds that no longer exist. */
  prune(): Promise<void> {
    return this.pruneBuilds()
  }

  private pruneBuilds(): Promise<void> {
    const { containers, builds } = this.opened()
    const mounted = async () => {
      const [found, { waiting }] = await Promise.all([containers.list(), containers.listWarm()])
      return new Set(
        [...found, ...waiting].flatMap((one) => one.sources.map((source) => source.split('/').pop() ?? '')),
      )
    }
    return this.tidy('removing builds that nobody uses', () => builds.prune(mounted))
  }

  /**
   * Runs a cleanup step and logs its error: a failed cleanup must not stop launches, and it runs again at the next
   * start.
   */
  private async tidy(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (error instanceof EngineUnavailable) throw error
      this.options.logger.error(`${what} failed; game servers are launched all the same`, { error: wordsOf(error) })
    }
  }
}
