import {
  type Clock,
  KeyedQueue,
  type LaunchSpec,
  type Logger,
  type WarmPool,
  type WarmServers,
  warmKey,
} from '@matchyard/core/ports'
import { type RoomKeeper, Setbacks } from '@matchyard/orchestrator-kit'
import { allocate } from './allocation'
import type { Cluster, Waiting } from './cluster'
import { conditionOf, isOver } from './condition'
import { MAX_DELIVERED_BYTES } from './delivery'
import { FLEETS, GAMESERVERS } from './kube/client'
import { ApiRefusal, isRefused, Unreachable } from './kube/errors'
import type { FleetItem, GameServerItem } from './kube/shapes'
import type { ManifestSettings } from './manifest'
import { ANNOTATION, installationSelector } from './names'
import { type PoolMade, poolMade, poolOf } from './pool-manifest'
import { isOfFleet, isReadyAgain, withoutFleet } from './pool-members'

/** Where a launch found no room, nothing waits for so long: it is tried again meanwhile. */
const GIVES_WAY_MS = 30_000
/** Where what waits cannot be given, or told, matches are launched without for so long. */
const LEFT_ALONE_MS = 30_000
/** Of servers that ended while they waited, so many are told apart from those whose end is news. */
const REMEMBERED_ENDS = 1_000

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
  /** By cluster, what hinders the fleets in it. */
  private readonly troubles = new Map<Cluster, string>()
  private readonly leftAloneUntil = new Map<Cluster, number>()
  private givesWayUntil = Number.NEGATIVE_INFINITY

  constructor(private readonly parts: WarmPoolsParts) {
    this.setbacks = new Setbacks(parts.clock)
    this.mayHold = new Set(parts.clusters)
  }

  /** One that waits, marked as this launch's; undefined where none does. */
  async take(cluster: Cluster, spec: LaunchSpec): Promise<GameServerItem | undefined> {
    const wanted = this.wanted.get(warmKey(spec))
    if (wanted === undefined || !cluster.waiting(wanted.hash).some(isReady)) return undefined
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

  /** A launch found no room: for a while nothing waits. */
  giveWay(): void {
    this.givesWayUntil = this.parts.clock.now() + GIVES_WAY_MS
  }

  /** Makes what waits like what is wanted; one call at a time. */
  keep(pools: readonly WarmPool[]): Promise<readonly WarmServers[]> {
    return this.turns.run('keep', async () => {
      const wanted = pools.flatMap((pool) => this.wantedOf(pool))
      this.wanted = new Map(wanted.map((one) => [warmKey(one.pool), one]))
      for (const { cluster } of wanted) this.mayHold.add(cluster)
      const targets = await this.targetsOf(wanted)
      for (const cluster of [...this.mayHold]) {
        const its = wanted.filter((one) => one.cluster === cluster)
        await this.keepIn(cluster, its, targets).then(
          () => this.troubles.delete(cluster),
          (error: unknown) => this.noteTrouble(cluster, error),
        )
      }
      return wanted.map(({ pool, cluster, hash }) => {
        const ready = cluster.waiting(hash).filter(isReady)
        return { key: warmKey(pool), ready: ready.map(({ server }) => server.metadata.name) }
      })
    })
  }

  /** A right that is missing, or a cluster that is away, is told once and not every time. */
  private noteTrouble(cluster: Cluster, error: unknown): void {
    if (!(error instanceof ApiRefusal || error instanceof Unreachable)) throw error
    if (this.troubles.get(cluster) === error.message) return
    this.troubles.set(cluster, error.message)
    const words = { cluster: cluster.name, error: error.message }
    this.parts.logger.warn('game servers that are to wait for their matches cannot be seen to', words)
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
    const target = Math.max(pool.buffer, pool.min - this.playing(cluster, hash).length)
    const here = this.sound(cluster, hash)
    for (const { server } of here) this.setbacks.stands(hash, Date.parse(server.metadata.creationTimestamp ?? ''))
    return this.setbacks.mayTry(hash) ? target : Math.min(target, here.length)
  }

  private playing(cluster: Cluster, hash: string): readonly GameServerItem[] {
    return cluster.taken(hash).filter((server) => !isGoing(server) && !isOver(server))
  }

  /** Those that wait and have not ended; the end of the others is noted, each once. */
  private sound(cluster: Cluster, hash: string): Waiting[] {
    const now = this.parts.clock.now()
    return cluster.waiting(hash).filter(({ server, pod }) => {
      if (isGoing(server)) return false
      if (!isOver(server) && conditionOf(server, pod, now).is !== 'ended') return true
      this.noteEnd(hash, server)
      return false
    })
  }

  /** What the platform takes away before the next look has been heard of. */
  heard(cluster: Cluster, name: string): void {
    const taken = cluster.knownByName(name)?.server
    if (taken !== undefined && isReadyAgain(taken)) void this.letPlay(cluster, taken).catch(() => {})
    const one = cluster.waitingByName(name)
    if (one === undefined || isGoing(one.server)) return
    const { server, pod, pool } = one
    if (isOver(server) || conditionOf(server, pod, this.parts.clock.now()).is === 'ended') this.noteEnd(pool, server)
  }

  /** One that plays and made itself Ready by Agones' SDK would be what its fleet takes away first: it is its own from now on. */
  private async letPlay(cluster: Cluster, { metadata }: GameServerItem): Promise<void> {
    try {
      await cluster.write(GAMESERVERS, metadata.name, { metadata: withoutFleet(metadata) })
    } catch (error) {
      // It changed meanwhile: that is heard of too.
      if (!(error instanceof ApiRefusal)) throw error
    }
  }

  /** The platform replaces what ends at once: that must not go on for ever. */
  private noteEnd(hash: string, { metadata: { uid, name } }: GameServerItem): void {
    if (this.ended.has(uid)) return
    this.ended.add(uid)
    if (this.ended.size > REMEMBERED_ENDS) this.ended.delete([...this.ended][0] ?? '')
    const seconds = Math.round(this.setbacks.note(hash) / 1_000)
    this.parts.logger.warn('a game server ended while it waited for its match', { warm: name, again_in_s: seconds })
  }

  private async keepIn(
    cluster: Cluster,
    wanted: readonly Wanted[],
    targets: ReadonlyMap<string, number>,
  ): Promise<void> {
    const fleets = await this.fleetsIn(cluster)
    const givesWay = await this.givesWayIn(cluster, fleets)
    for (const { hash, manifest } of wanted) {
      const counted = this.playing(cluster, hash).filter(isOfFleet).length
      const replicas = counted + (givesWay ? 0 : (targets.get(hash) ?? 0))
      const fleet = fleets.get(hash)
      if (fleet === undefined) await this.make(cluster, hash, manifest(replicas))
      else if (fleet.spec?.replicas !== replicas) await this.resize(cluster, fleet, replicas)
    }
    for (const [hash, fleet] of fleets)
      if (!wanted.some((one) => one.hash === hash)) await this.retire(cluster, fleet, hash)
    if (wanted.length === 0 && fleets.size === 0) this.mayHold.delete(cluster)
    for (const hash of cluster.poolsThere()) {
      for (const waiting of cluster.waiting(hash)) await this.moveOn(cluster, waiting)
      for (const server of cluster.taken(hash)) if (isReadyAgain(server)) await this.letPlay(cluster, server)
    }
  }

  /** For a while after a launch found no room, on whichever node that was: the fleets say until when. */
  private async givesWayIn(cluster: Cluster, fleets: ReadonlyMap<string, FleetItem>): Promise<boolean> {
    const now = this.parts.clock.now()
    const said = [...fleets.values()].map((one) =>
      Date.parse(one.metadata.annotations?.[ANNOTATION.givesWayUntil] ?? ''),
    )
    const known = Math.max(Number.NEGATIVE_INFINITY, ...said.filter((until) => until > now))
    if (this.givesWayUntil > Math.max(now, known)) {
      const annotations = { [ANNOTATION.givesWayUntil]: new Date(this.givesWayUntil).toISOString() }
      for (const { metadata } of fleets.values())
        await cluster.client.patch(FLEETS, metadata.name, { metadata: { annotations } })
    }
    return Math.max(known, this.givesWayUntil) > now
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
      if (error instanceof ApiRefusal && isRefused(error, 400, 403, 422)) this.setbacks.note(hash)
      throw error
    }
  }

  private async resize(cluster: Cluster, { metadata }: FleetItem, replicas: number): Promise<void> {
    await cluster.client.patch(FLEETS, metadata.name, { spec: { replicas } })
  }

  /** Nobody wants any of it. With a fleet the platform takes away all that is of it, those that play as well: it stays until they have ended. */
  private async retire(cluster: Cluster, fleet: FleetItem, hash: string): Promise<void> {
    if (fleet.spec?.replicas !== 0) return this.resize(cluster, fleet, 0)
    // What this node has heard may be old.
    if ((await cluster.listPool(hash)).some(isOfFleet)) return
    await cluster.client.deleteAsSeen(FLEETS, fleet.metadata)
  }

  /**
   * A server that waits says nothing: that its container runs is all there is to say for it. Agones makes it Ready by this word, which its SDK
   * writes for others (`RequestReady`; GameServers have no status of their own to write).
   */
  private async moveOn(cluster: Cluster, { server, pod }: Waiting): Promise<void> {
    const { metadata, status } = server
    if (status?.state !== 'Scheduled' || isGoing(server)) return
    const { is } = conditionOf(server, pod, this.parts.clock.now())
    const { name, resourceVersion } = metadata
    // Before it is Ready not every Agones looks whether its container has ended.
    if (is === 'ended') await cluster.client.deleteAsSeen(GAMESERVERS, metadata)
    if (is !== 'running') return
    try {
      await cluster.write(GAMESERVERS, name, { metadata: { resourceVersion }, status: { state: 'RequestReady' } })
    } catch (error) {
      // It changed meanwhile; or the others are not to wait for what one is refused.
      if (!(error instanceof ApiRefusal)) throw error
    }
  }

  private get installationId(): string {
    return this.parts.settingsOf({ tier: '' }).installationId
  }
}

/** Agones shrinks a fleet by `Shutdown`: that is no setback. */
const isGoing = ({ metadata, status }: GameServerItem): boolean =>
  metadata.deletionTimestamp !== undefined || status?.state === 'Shutdown'
const isReady = ({ server }: Waiting): boolean => server.status?.state === 'Ready' && !isGoing(server)
