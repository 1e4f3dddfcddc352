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
import { type RoomKeeper, Setbacks } from '../../kit/index'
import type { Cluster } from '../cluster'
import { conditionOf, isOver } from '../condition'
import type { Waiting } from '../heard'
import { FLEETS } from '../kube/client'
import { ApiRefusal, isJudgement, isRefused, Unreachable } from '../kube/errors'
import type { FleetItem, GameServerItem } from '../kube/shapes'
import type { ManifestSettings } from '../manifest'
import { fleetName, installationSelector, poolOf } from '../names'
import { allocate } from './allocation'
import { MAX_DELIVERED_BYTES } from './delivery'
import { GivingWay } from './giving-way'
import { letPlay, moveOn } from './member-care'
import { Outages } from './outages'
import { type PoolMade, poolMade } from './pool-manifest'
import { isGoing, isOfFleet, isReadyAgain, tookItself } from './pool-members'

/** Where what waits cannot be given, or told, matches are launched without for so long. */
const LEFT_ALONE_MS = 30_000
/** Of servers that ended while they waited, so many are told apart from those whose end is news. */
const REMEMBERED_ENDS = 1_000
const ENDED = 'a game server ended while it waited for its match'
const TOOK_ITSELF = 'a game server that waited for its match made itself Allocated or Reserved'

export interface WarmPoolsParts {
  readonly clusters: readonly Cluster[]
  readonly clusterOf: (region: string) => Cluster | undefined
  readonly settingsOf: (of: { readonly tier: string }) => ManifestSettings
  readonly room: RoomKeeper
  /** Of all pools together. */
  readonly maxWaiting: number
  readonly clock: Clock
  readonly logger: Logger
}

interface Wanted extends PoolMade {
  readonly pool: WarmPool
  readonly cluster: Cluster
}

/**
 * Game servers that are started before anybody asks for them: a Fleet of Agones for each pool, whose size is set here by what its queues want and
 * what launches took of it. What waits is what the cluster says: every node of the service says the same sizes, and one that comes anew finds all.
 */
export class WarmPools {
  private readonly turns = new KeyedQueue()
  private readonly setbacks: Setbacks
  /** Servers whose end while they waited was noted. */
  private readonly ended = new Set<string>()
  private wanted = new Map<string, Wanted>()
  /** Clusters that may hold fleets of ours. */
  private readonly mayHold: Set<Cluster>
  /** A right that is missing, or a cluster that is away. */
  private readonly outages: Outages
  private readonly givingWay: GivingWay
  private readonly leftAloneUntil = new Map<Cluster, number>()

  constructor(private readonly parts: WarmPoolsParts) {
    this.setbacks = new Setbacks(parts.clock)
    this.outages = new Outages(parts.logger, 'game servers that are to wait for their matches cannot be seen to')
    this.givingWay = new GivingWay(parts.clock, this.outages)
    this.mayHold = new Set(parts.clusters)
  }

  /** One that waits, marked as this launch's; undefined where none does. */
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
      // One may have been given: the next look finds it by its mark. Else the match does not wait for what does not work.
      if (!(error instanceof ApiRefusal || error instanceof Unreachable)) throw error
      if (!isRefused(error, 429)) this.leaveAlone(cluster, error)
      throw error
    }
  }

  /** For a while matches are launched without what waits there. */
  leaveAlone(cluster: Cluster, { message }: Error): void {
    this.leftAloneUntil.set(cluster, this.parts.clock.now() + LEFT_ALONE_MS)
    const words = { cluster: cluster.name, error: message, again_in_s: LEFT_ALONE_MS / 1_000 }
    this.parts.logger.warn('matches are launched without the game servers that wait', words)
  }

  /** A launch found no room: for a while nothing waits there. */
  giveWay(cluster: Cluster): void {
    this.givingWay.begin(cluster)
  }

  /** Makes what waits like what is wanted; one call at a time. */
  keep(pools: readonly WarmPool[]): Promise<readonly WarmServers[]> {
    return this.turns.run('keep', async () => {
      const wanted = pools.flatMap((pool) => this.wantedOf(pool))
      this.wanted = new Map(wanted.map((one) => [warmKey(one.pool), one]))
      for (const { cluster } of wanted) this.mayHold.add(cluster)
      // As they are now: what ends from now on is taken away when its fleet has been told how many it is to have without it.
      const there = new Map([...this.mayHold].map((cluster) => [cluster, allWaiting(cluster)]))
      const targets = await this.targetsOf(wanted)
      // One that is away keeps no other waiting.
      const each = [...there].map(([cluster, members]) => {
        const its = wanted.filter((one) => one.cluster === cluster)
        return this.outages.containedWhole({ cluster: cluster.name }, async () => {
          await this.sizeIn(cluster, its, targets)
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

  private wantedOf(pool: WarmPool): Wanted[] {
    const cluster = this.parts.clusterOf(pool.region)
    if (cluster === undefined || pool.build.type !== 'docker_image') return []
    return [{ ...poolMade(pool, this.parts.settingsOf(pool)), pool, cluster }]
  }

  /** How many are to wait, by pool. One of each in turn, so that where there is no room for all, each has some. */
  private async targetsOf(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, number>> {
    const targets = new Map<string, number>()
    const lacking = new Map(wanted.map((one) => [one, this.lackOf(one)]))
    const held: { instanceId: string; tierSize: WarmPool['tierSize'] }[] = []
    while ([...lacking.values()].some((lack) => lack > 0)) {
      for (const [one, lack] of lacking) {
        if (lack <= 0) continue
        const { hash, pool } = one
        const count = targets.get(hash) ?? 0
        const instanceId = `${hash}/${count}`
        const fits =
          held.length < this.parts.maxWaiting &&
          (await this.parts.room.fitsBeside(instanceId, pool.tierSize, [...held]))
        if (fits) {
          held.push({ instanceId, tierSize: pool.tierSize })
          targets.set(hash, count + 1)
        }
        lacking.set(one, fits ? lack - 1 : 0)
      }
    }
    return targets
  }

  private lackOf({ pool, cluster, hash }: Wanted): number {
    const target = warmTarget(pool, this.playing(cluster, hash).length)
    const here = this.sound(cluster, hash)
    for (const { server } of here) this.setbacks.stands(hash, Date.parse(server.metadata.creationTimestamp ?? ''))
    return this.setbacks.mayTry(hash) ? target : Math.min(target, here.length)
  }

  private playing(cluster: Cluster, hash: string): readonly GameServerItem[] {
    return cluster.heard.taken(hash).filter((server) => !isGoing(server) && !isOver(server))
  }

  private sound(cluster: Cluster, hash: string): readonly Waiting[] {
    return cluster.heard.waiting(hash).filter((one) => this.isSound(one))
  }

  /** Whether it waits, and may be taken; that it will not be is noted, once. */
  private isSound({ pool, server, pod }: Waiting): boolean {
    if (isGoing(server)) return false
    const hasEnded = isOver(server) || conditionOf(server, pod, this.parts.clock.now()).is === 'ended'
    if (!hasEnded && !tookItself(server)) return true
    this.noteEnd(pool, server, hasEnded ? ENDED : TOOK_ITSELF)
    return false
  }

  /** What the platform takes away before the next look has been heard of. */
  heard(cluster: Cluster, name: string): void {
    const taken = cluster.heard.knownByName(name)?.server
    if (taken !== undefined && isReadyAgain(taken)) void letPlay(cluster, taken).catch(() => {})
    const one = cluster.heard.waitingByName(name)
    if (one !== undefined) this.isSound(one)
  }

  /** The platform replaces what ends at once: that must not go on for ever. */
  private noteEnd(hash: string, { metadata: { uid, name } }: GameServerItem, what: string): void {
    if (this.ended.has(uid)) return
    this.ended.add(uid)
    if (this.ended.size > REMEMBERED_ENDS) this.ended.delete([...this.ended][0] ?? '')
    const seconds = Math.round(this.setbacks.note(hash) / 1_000)
    this.parts.logger.warn(what, { warm: name, again_in_s: seconds })
  }

  private async sizeIn(
    cluster: Cluster,
    wanted: readonly Wanted[],
    targets: ReadonlyMap<string, number>,
  ): Promise<void> {
    const fleets = await this.fleetsIn(cluster)
    const givesWay = await this.givingWay.isOn(cluster, [...fleets.values()])
    for (const { hash, manifest } of wanted) {
      const waiting = givesWay ? 0 : (targets.get(hash) ?? 0)
      const fleet = fleets.get(hash)
      await this.contained(cluster, hash, async () => {
        if (fleet !== undefined) await this.resize(cluster, fleet, this.counted(cluster, hash) + waiting)
        // Where none is to wait now, one that is not there is not missed: it may have been refused a moment ago.
        else if (waiting > 0) await this.make(cluster, hash, manifest(this.counted(cluster, hash) + waiting))
      })
    }
    for (const [hash, fleet] of fleets) {
      if (!wanted.some((one) => one.hash === hash))
        await this.contained(cluster, hash, () => this.retire(cluster, fleet, hash))
    }
    if (wanted.length === 0 && fleets.size === 0) this.mayHold.delete(cluster)
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

  /** What is refused of one pool costs no other anything. */
  private contained(cluster: Cluster, hash: string, work: () => Promise<void>): Promise<void> {
    return this.outages.contained({ cluster: cluster.name, fleet: fleetName(this.installationId, hash) }, work)
  }

  /** Those that play count towards the size of their fleet. */
  private counted(cluster: Cluster, hash: string): number {
    return this.playing(cluster, hash).filter(isOfFleet).length
  }

  private async fleetsIn(cluster: Cluster): Promise<ReadonlyMap<string, FleetItem>> {
    const selector = installationSelector(this.installationId)
    const { items } = await cluster.client.list<FleetItem>(FLEETS, selector)
    return new Map(
      items.flatMap((one) =>
        one.metadata.deletionTimestamp !== undefined ? [] : [[poolOf(one.metadata) ?? '', one] as const],
      ),
    )
  }

  private async make(cluster: Cluster, hash: string, manifest: object): Promise<void> {
    try {
      await cluster.client.create(FLEETS, manifest)
    } catch (error) {
      // Another node has made it.
      if (isRefused(error, 409)) return
      if (error instanceof ApiRefusal && isJudgement(error)) this.setbacks.note(hash)
      throw error
    }
  }

  private async resize(cluster: Cluster, { metadata, spec }: FleetItem, replicas: number): Promise<void> {
    if (spec?.replicas !== replicas) await cluster.client.patch(FLEETS, metadata.name, { spec: { replicas } })
  }

  /** Nobody wants any of it. With a fleet the platform takes away all that is of it, those that play as well: it stays until they have ended. */
  private async retire(cluster: Cluster, fleet: FleetItem, hash: string): Promise<void> {
    if (fleet.spec?.replicas !== 0) return this.resize(cluster, fleet, 0)
    // What this node has heard may be old.
    if ((await cluster.listPool(hash)).some(isOfFleet)) return
    await cluster.client.deleteAsSeen(FLEETS, fleet.metadata)
  }

  private get installationId(): string {
    return this.parts.settingsOf({ tier: '' }).installationId
  }
}

const isReady = ({ server }: Waiting): boolean => server.status?.state === 'Ready' && !isGoing(server)
const allWaiting = (cluster: Cluster): readonly Waiting[] =>
  cluster.heard.pools().flatMap((hash) => cluster.heard.waiting(hash))
