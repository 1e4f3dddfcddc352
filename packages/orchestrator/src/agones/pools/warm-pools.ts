import {
  type Clock,
  KeyedQueue,
  type LaunchSpec,
  type Logger,
  type WarmPool,
  type WarmServers,
  warmKey,
} from '@matchyard/core/ports'
import { type RoomKeeper, Setbacks } from '../../kit/index'
import type { Cluster } from '../cluster'
import type { Waiting } from '../heard'
import { ApiRefusal, isRefused, Unreachable } from '../kube/errors'
import type { GameServerItem } from '../kube/shapes'
import type { ManifestSettings } from '../manifest'
import { allocate } from './allocation'
import { MAX_DELIVERED_BYTES } from './delivery'
import { GivingWay } from './giving-way'
import { letPlay, moveOn } from './member-care'
import { isGoing, isReadyAgain } from './member-state'
import { Outages } from './outages'
import { PoolFleets } from './pool-fleets'
import { poolMade } from './pool-manifest'
import { PoolMembers } from './pool-members'
import { PoolTargets, type WantedPool } from './pool-targets'

/**
 * Milliseconds during which matches are launched without warm game servers, after an allocation failed or a
 * configuration could not be written.
 */
const LEFT_ALONE_MS = 30_000

export interface WarmPoolsParts {
  readonly clusters: readonly Cluster[]
  readonly clusterOf: (region: string) => Cluster | undefined
  readonly settingsOf: (of: { readonly tier: string }) => ManifestSettings
  readonly room: RoomKeeper
  /** Maximum number of warm game servers in all pools together. */
  readonly maxWaiting: number
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Warm pools: game servers that are started before a launch needs them. Each pool is a Fleet of Agones. This class
 * computes the size of a fleet from the settings of the queues and from the game servers that launches took. The
 * cluster holds all state, so that all nodes set the same sizes and a new node finds every pool.
 */
export class WarmPools {
  private readonly turns = new KeyedQueue()
  private wanted = new Map<string, WantedPool>()
  /** Clusters that may contain fleets of this installation. */
  private readonly mayHold: Set<Cluster>
  /** Failures of this class's work, for example a missing right or an unreachable cluster. */
  private readonly outages: Outages
  private readonly givingWay: GivingWay
  private readonly members: PoolMembers
  private readonly targets: PoolTargets
  private readonly fleets: PoolFleets
  private readonly leftAloneUntil = new Map<Cluster, number>()

  constructor(private readonly parts: WarmPoolsParts) {
    const { clock, logger, room, maxWaiting } = parts
    const { installationId } = parts.settingsOf({ tier: '' })
    const setbacks = new Setbacks(clock)
    this.outages = new Outages(logger, 'game servers that are to wait for their matches cannot be seen to')
    this.givingWay = new GivingWay(clock, this.outages)
    this.members = new PoolMembers({ clock, logger, setbacks })
    this.targets = new PoolTargets({ room, maxWaiting, members: this.members, setbacks })
    const { members, outages, givingWay } = this
    this.fleets = new PoolFleets({ installationId, members, outages, givingWay, setbacks })
    this.mayHold = new Set(parts.clusters)
  }

  /**
   * Takes a free warm game server for a launch, and writes the launch's labels and annotations to it. Returns undefined
   * when no warm game server is free.
   */
  async take(cluster: Cluster, spec: LaunchSpec): Promise<GameServerItem | undefined> {
    const wanted = this.wanted.get(warmKey(spec))
    if (wanted === undefined || !cluster.heard.waiting(wanted.hash).some(isReady)) return undefined
    if (Buffer.byteLength(JSON.stringify(spec.config, undefined, 2)) > MAX_DELIVERED_BYTES) return undefined
    const { clock, logger, settingsOf } = this.parts
    if (clock.now() < (this.leftAloneUntil.get(cluster) ?? 0)) return undefined
    const { installationId } = settingsOf(spec)
    try {
      return await allocate(cluster, spec, { pool: wanted.hash, installationId, now: clock.now(), logger })
    } catch (error) {
      // A game server may have been allocated; the next observation finds it by the launch's labels and annotations. If
      // no game server was allocated, the match must not wait for further allocations, which may fail too.
      if (!(error instanceof ApiRefusal || error instanceof Unreachable)) throw error
      if (!isRefused(error, 429)) this.leaveAlone(cluster, error)
      throw error
    }
  }

  /** Launches matches without the warm game servers of a cluster for the next 30 seconds. */
  leaveAlone(cluster: Cluster, { message }: Error): void {
    this.leftAloneUntil.set(cluster, this.parts.clock.now() + LEFT_ALONE_MS)
    const words = { cluster: cluster.name, error: message, again_in_s: LEFT_ALONE_MS / 1_000 }
    this.parts.logger.warn('matches are launched without the game servers that wait', words)
  }

  /** Starts a pause of the cluster's warm pools after a launch found no capacity. */
  giveWay(cluster: Cluster): void {
    this.givingWay.begin(cluster)
  }

  /**
   * Changes the warm pools until they have their wanted sizes; concurrent calls run one after another. Returns the
   * ready game servers of each pool.
   */
  keep(pools: readonly WarmPool[]): Promise<readonly WarmServers[]> {
    return this.turns.run('keep', async () => {
      const wanted = pools.flatMap((pool) => this.wantedOf(pool))
      this.wanted = new Map(wanted.map((one) => [warmKey(one.pool), one]))
      for (const { cluster } of wanted) this.mayHold.add(cluster)
      // The code reads the ready game servers before it sets the sizes. If a game server ends later, the next call
      // removes it, after its fleet got a smaller size.
      const there = new Map([...this.mayHold].map((cluster) => [cluster, allWaiting(cluster)]))
      const targets = await this.targets.of(wanted)
      // The clusters are handled separately, so that an unreachable cluster does not delay the others.
      const each = [...there].map(([cluster, members]) => {
        const its = wanted.filter((one) => one.cluster === cluster)
        return this.outages.containedWhole({ cluster: cluster.name }, async () => {
          const fleets = await this.fleets.sizeIn(cluster, its, targets)
          if (its.length === 0 && fleets === 0) this.mayHold.delete(cluster)
          await this.careFor(cluster, members)
        })
      })
      await Promise.all(each)
      return wanted.map(({ pool, cluster, hash }) => {
        const ready = cluster.heard.waiting(hash).filter(isReady)
        return { key: warmKey(pool), ready: ready.map(({ server }) => server.metadata.name) }
      })
    })
  }

  private wantedOf(pool: WarmPool): WantedPool[] {
    const cluster = this.parts.clusterOf(pool.region)
    if (cluster === undefined || pool.build.type !== 'docker_image') return []
    return [{ ...poolMade(pool, this.parts.settingsOf(pool)), pool, cluster }]
  }

  /**
   * Handles a change of a game server. Removes a game server with players from its fleet before the platform ends it,
   * and counts the end of a warm game server.
   */
  heard(cluster: Cluster, name: string): void {
    const taken = cluster.heard.knownByName(name)?.server
    if (taken !== undefined && isReadyAgain(taken)) void letPlay(cluster, taken).catch(() => {})
    const one = cluster.heard.waitingByName(name)
    if (one !== undefined) this.members.isSound(one)
  }

  private async careFor(cluster: Cluster, members: readonly Waiting[]): Promise<void> {
    const now = this.parts.clock.now()
    for (const one of members) {
      const warm = one.server.metadata.name
      await this.outages.contained({ cluster: cluster.name, warm }, () => moveOn(cluster, one, now))
    }
    const taken = cluster.heard.pools().flatMap((hash) => cluster.heard.taken(hash))
    for (const server of taken) if (isReadyAgain(server)) await letPlay(cluster, server)
  }
}

const isReady = ({ server }: Waiting): boolean => server.status?.state === 'Ready' && !isGoing(server)
const allWaiting = (cluster: Cluster): readonly Waiting[] =>
  cluster.heard.pools().flatMap((hash) => cluster.heard.waiting(hash))
