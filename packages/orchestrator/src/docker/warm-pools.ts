import { randomBytes } from 'node:crypto'
import type { PortMapping, PortRequest } from '@matchyard/core'
import {
  type Clock,
  KeyedQueue,
  type LaunchSpec,
  type Logger,
  type WarmPool,
  type WarmServers,
  warmKey,
  warmTarget,
} from '@matchyard/core/ports'
import { type PortFinder, type RoomKeeper, Setbacks, type UnpackedBuilds } from '../kit/index'
import { containerRequest } from './container-request'
import { type Containers, isAlive, type WaitingContainer } from './containers'
import { asking, askingUnless, EngineUnavailable, statusOf, wordsOf } from './engine'
import type { Fronts } from './fronts'
import { containerName, LABEL, poolHash, warmName } from './labels'
import type { LaunchSettings } from './launch-settings'
import type { Layout } from './layout'
import type { Networks } from './networks'
import type { Programs } from './programs'

/** Milliseconds for which the ports of a warm server are reserved for the launch to which they were offered. */
const OFFERED_MS = 10_000

export interface WarmParts {
  readonly containers: Containers
  readonly programs: Programs
  readonly builds: UnpackedBuilds
  readonly layout: Layout
  readonly room: RoomKeeper
  readonly ports: PortFinder
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: LaunchSettings
  readonly fronts: Fronts
  /** The most warm servers of all pools together. */
  readonly maxWaiting: number
}

/**
 * Warm servers: containers that are started before a launch needs them. Each warm server has its ports and an empty
 * configuration file. A launch takes a warm server by renaming its container, and then writes the configuration. The
 * engine allows each name only once, so two launches cannot take the same container. The engine's list of containers is
 * the only record: a restarted service finds its warm servers in this list.
 */
export class WarmPools {
  private readonly turns = new KeyedQueue()
  /**
   * The warm servers that the last call of `keep` found. The list may be stale, so a launch checks a container again
   * before it takes the container.
   */
  private waiting: readonly WaitingContainer[] = []
  /** By container id: the time (milliseconds since 1970) until which the container's ports are reserved. */
  private readonly offered = new Map<string, number>()
  private readonly setbacks: Setbacks
  /** The hashes of the pools that queues need; undefined before the first call of `keep`. */
  private wanted: ReadonlySet<string> | undefined

  constructor(private readonly parts: WarmParts) {
    this.setbacks = new Setbacks(parts.clock)
  }

  /**
   * Returns the ports of a free warm server and reserves the server for 10 seconds. Returns undefined when no server is
   * free.
   */
  offer(key: string, requests: readonly PortRequest[], host: string): PortMapping[] | undefined {
    const now = this.parts.clock.now()
    for (const [id, until] of this.offered) if (until <= now) this.offered.delete(id)
    const pool = poolHash(key)
    const free = this.waiting.find(
      (one) => one.pool === pool && !this.isOffered(one) && one.ports.length === requests.length,
    )
    if (free === undefined) return undefined
    this.offered.set(free.id, now + OFFERED_MS)
    return requests.map((request, index) => ({ ...request, host, externalPort: free.ports[index] ?? 0 }))
  }

  private isOffered({ id }: WaitingContainer): boolean {
    return (this.offered.get(id) ?? Number.NEGATIVE_INFINITY) > this.parts.clock.now()
  }

  /** Starts and ends warm servers until each pool has its wanted number. Concurrent calls run one after another. */
  keep(pools: readonly WarmPool[], networks: () => Promise<Networks>): Promise<readonly WarmServers[]> {
    return this.turns.run('keep', async () => {
      const wanted = new Map(pools.map((pool) => [poolHash(warmKey(pool)), pool]))
      // No queue needs a pool now, and none needed a pool before, so the query to the engine is skipped.
      if (wanted.size === 0 && this.wanted?.size === 0 && this.waiting.length === 0) return []
      this.wanted = new Set(wanted.keys())
      const { waiting, launched } = await this.parts.containers.listWarm()
      const kept = await this.sift(waiting, wanted)
      const listed = [...waiting.map(({ warmId }) => warmId), ...launched.flatMap(({ found }) => found.warmId ?? [])]
      await this.parts.layout.pruneWaiting(new Set(listed))
      const lacking = new Map<string, number>()
      // The operator may have lowered the maximum since the last start. Then the surplus servers are ended.
      let mayStay = this.parts.maxWaiting
      for (const [pool, asked] of wanted) {
        const playing = launched.filter((one) => one.pool === pool && isAlive(one.found)).length
        const target = warmTarget(asked, playing)
        const here = kept.filter((one) => one.pool === pool)
        const staying = Math.min(here.length, target, mayStay)
        // The youngest servers are ended first, because older servers have made more progress in their startup.
        for (const one of here.slice(staying).reverse()) if (!this.isOffered(one)) await this.end(one)
        mayStay -= staying
        lacking.set(pool, Math.max(0, target - here.length))
      }
      await this.fill(wanted, lacking, mayStay, networks)
      this.waiting = (await this.parts.containers.listWarm()).waiting.filter(isAlive)
      return pools.map((pool) => {
        const key = warmKey(pool)
        const ready = this.waiting.filter((one) => one.pool === poolHash(key)).map(({ warmId }) => warmId)
        return { key, ready }
      })
    })
  }

  /** Ends all warm servers; from now on, no pool is needed. */
  endAll(): Promise<unknown> {
    return this.keep([], () => Promise.reject(new Error('nothing is started')))
  }

  /**
   * Gives a warm server with the ports of the launch to that launch. Returns `none` when no such server exists: then
   * the caller starts a new container. Returns `taken` when a container with the name of this launch exists already.
   * The rename uses the old name of the container, so only one of two concurrent renames succeeds.
   */
  async take(spec: LaunchSpec): Promise<'ok' | 'taken' | 'none'> {
    const pool = poolHash(warmKey(spec))
    if (this.wanted?.has(pool) === false) return 'none'
    const asked = spec.networkPorts.map(({ externalPort }) => externalPort).join()
    const { waiting } = await this.parts.containers.listWarm()
    for (const one of waiting.filter((each) => each.pool === pool && each.ports.join() === asked && isAlive(each))) {
      const result = await this.turns.run(one.id, () => this.takeIt(one, spec))
      if (result !== 'none') return result
    }
    return 'none'
  }

  private async takeIt(one: WaitingContainer, spec: LaunchSpec): Promise<'ok' | 'taken' | 'none'> {
    const { containers, layout, settings } = this.parts
    const name = containerName(settings.installationId, spec.instanceId, spec.attempt)
    if (!(await layout.isWaiting(one.warmId))) return 'none'
    try {
      await asking(containers.engine.api.getContainer(one.name).rename({ name }))
    } catch (error) {
      if (statusOf(error) === 409) return 'taken'
      if (statusOf(error) === 404) return 'none'
      throw error
    } finally {
      this.waiting = this.waiting.filter(({ id }) => id !== one.id)
      this.offered.delete(one.id)
    }
    const now = await askingUnless(containers.of(one).inspect(), 404)
    const isThere = now?.State.Running === true && (await layout.deliver(spec, one.warmId, textOf(spec)))
    if (isThere) return 'ok'
    // The warm server ended before the launch got it. Remove it, so that it does not count as a failed attempt of the
    // launch.
    await containers.remove(one)
    await layout.dropLaunch(spec)
    return 'none'
  }

  /**
   * Ends warm servers until the launch fits into the limits of the node; the last server in the list is ended first.
   */
  async makeRoom({ instanceId, tierSize }: Pick<LaunchSpec, 'instanceId' | 'tierSize'>): Promise<void> {
    if (!this.parts.room.isLimited) return
    await this.turns.run('room', async () => {
      const { containers, room } = this.parts
      const { waiting } = await containers.listWarm()
      const left = waiting.filter(isAlive)
      while (left.length > 0 && !(await room.fitsBeside(instanceId, tierSize, left.map(held)))) {
        const last = left.pop()
        if (last !== undefined) await this.end(last)
      }
    })
  }

  /**
   * Returns the warm servers that stay. Ends exited servers, servers of pools that are no longer needed, and servers
   * without their configuration file.
   */
  private async sift(
    waiting: readonly WaitingContainer[],
    wanted: ReadonlyMap<string, WarmPool>,
  ): Promise<WaitingContainer[]> {
    const kept: WaitingContainer[] = []
    for (const one of waiting) {
      const isWanted = wanted.has(one.pool) && (await this.parts.layout.isWaiting(one.warmId))
      if (isWanted && isAlive(one)) {
        this.setbacks.stands(one.pool, one.createdAt)
        kept.push(one)
        continue
      }
      if (isWanted && one.state === 'exited') this.noteEnd(one)
      await this.end(one)
    }
    return kept
  }

  private noteEnd(one: WaitingContainer): void {
    const seconds = Math.round(this.setbacks.note(one.pool) / 1_000)
    this.parts.logger.warn('a game server ended while it waited for its match', {
      warm: one.warmId,
      again_in_s: seconds,
    })
  }

  private end(one: WaitingContainer): Promise<void> {
    return this.turns.run(one.id, async () => {
      const { engine } = this.parts.containers
      // The container is removed by its warm name: a container that a launch has just taken has another name and must
      // not be removed.
      await askingUnless(engine.api.getContainer(one.name).remove({ force: true, v: true }), 404, 409)
      await this.parts.layout.dropWaiting(one.warmId)
      this.waiting = this.waiting.filter(({ id }) => id !== one.id)
    })
  }

  /** Starts one server for each pool in turn, so that all pools share a limited capacity. */
  private async fill(
    wanted: ReadonlyMap<string, WarmPool>,
    lacking: Map<string, number>,
    mayStart: number,
    networks: () => Promise<Networks>,
  ): Promise<void> {
    let left = mayStart
    while ([...lacking.values()].some((lack) => lack > 0)) {
      for (const [pool, lack] of lacking) {
        const spec = wanted.get(pool)
        const isDue = lack > 0 && spec !== undefined && left > 0 && this.setbacks.mayTry(pool)
        const isMade = isDue && (await this.start(pool, spec, await networks()))
        if (isMade) left--
        lacking.set(pool, isMade ? lack - 1 : 0)
      }
    }
  }

  private start(pool: string, wanted: WarmPool, networks: Networks): Promise<boolean> {
    return this.turns.run('room', async () => {
      const { containers, room, builds, logger } = this.parts
      const warmId = randomBytes(8).toString('hex')
      const { waiting } = await containers.listWarm()
      if (!(await room.fitsBeside(warmId, wanted.tierSize, waiting.filter(isAlive).map(held)))) return false
      try {
        return await builds.holding(wanted.build.buildId, () => this.make(pool, warmId, wanted, networks))
      } catch (error) {
        await this.parts.layout.dropWaiting(warmId)
        if (error instanceof EngineUnavailable) throw error
        this.setbacks.note(pool)
        logger.warn('a game server could not be started beforehand', { error: wordsOf(error) })
        return false
      }
    })
  }

  private async make(pool: string, warmId: string, wanted: WarmPool, networks: Networks): Promise<boolean> {
    const { containers, programs, layout, ports, settings, fronts } = this.parts
    const program = await programs.find(wanted.build)
    if (!program.ok) throw new Error(program.message)
    const networkPorts = await ports.propose(wanted.portRequests)
    const secured = await fronts.choose(networkPorts)
    if ('ok' in secured) throw new Error(secured.ok ? '' : secured.message)
    const configFile = await layout.makeWaiting(warmId)
    const { installationId, logBytes } = settings
    const place = { installationId, logBytes, ...program, configFile, network: networks.game, fronts: secured }
    // No argument contains the id of the instance or of the match: a queue with warm servers may not use these ids in
    // its arguments.
    const spec = { ...wanted, instanceId: '', matchId: null, networkPorts }
    const labels = {
      [LABEL.warm]: pool,
      [LABEL.warmId]: warmId,
      [LABEL.ports]: networkPorts.map(({ externalPort }) => externalPort).join(' '),
    }
    const { api } = containers.engine
    const name = warmName(installationId, warmId)
    const container = await asking(api.createContainer(containerRequest(spec, place, { name, labels })))
    try {
      if (networks.shield !== undefined)
        await asking(api.getNetwork(networks.shield).connect({ Container: container.id }))
      const fault = await fronts.begin(container.id, [...secured.values()])
      if (fault !== undefined && !fault.ok) throw new Error(fault.message)
      await askingUnless(container.start(), 304)
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) await containers.remove(container)
      await fronts.end(container.id)
      throw error
    }
    return true
  }
}

const held = ({ warmId, tierSize }: WaitingContainer) => ({ instanceId: warmId, tierSize })

/** Returns the configuration of a launch as indented JSON, as it is written to the configuration file. */
export const textOf = ({ config }: Pick<LaunchSpec, 'config'>): string => JSON.stringify(config, undefined, 2)
