import { ServiceError } from '@matchyard/core'
import {
  type Clock,
  KeyedQueue,
  type LaunchResult,
  type LaunchSpec,
  type Logger,
  type ObservedServer,
  type RoomAnswer,
  type RoomWish,
  type ServerLogLine,
  type WarmPool,
  type WarmServers,
} from '@matchyard/core/ports'
import { final, type RoomKeeper } from '@matchyard/orchestrator-kit'
import { onePerAttempt } from './claim'
import type { Cluster, Placed } from './cluster'
import { type Condition, conditionOf, lostPod, portsOf, readinessOf, sizeOf, withoutConfiguration } from './condition'
import { askedAtOf, isDelivered, isTold, sinceTold } from './delivery'
import type { Pauses } from './kube/client'
import { ApiRefusal, Unreachable } from './kube/errors'
import { type Launcher, putAwayEnded } from './launcher'
import { ANNOTATION } from './names'
import { poolOf } from './pool-manifest'
import type { Readiness } from './readiness'
import type { WarmPools } from './warm-pools'

/** A cluster that was not heard for longer is not told from memory. */
const REMEMBERED_MS = 60_000
/** What has waited longer to start, and has no configuration, had it taken away: whoever launches gives it one sooner, or gives up. */
const CONFIGURED_WITHIN_MS = 120_000
/** How soon a server that takes players is seen to. */
const LOOK_EVERY_MS = 250
const UNTOLD = 'it has not been told its configuration'

export interface FleetParts {
  readonly clusters: ReadonlyMap<string, Cluster>
  /** The cluster of a region; undefined where none runs it. */
  readonly clusterOf: (region: string) => Cluster | undefined
  readonly launcher: (room: RoomKeeper, pools: WarmPools) => Launcher
  readonly pools: (room: RoomKeeper) => WarmPools
  readonly room: (
    running: () => Promise<readonly { instanceId: string; tierSize: { cpus: number; memoryGib: number } }[]>,
  ) => RoomKeeper
  readonly readiness: Readiness
  readonly pauses: Pauses
  readonly clock: Clock
  readonly logger: Logger
}

/** The game servers of one installation, in all of its clusters. */
export class AgonesFleet {
  private readonly turns = new KeyedQueue()
  private readonly listeners = new Set<(instanceId: string) => void>()
  private readonly room: RoomKeeper
  private readonly launcher: Launcher
  private readonly pools: WarmPools
  /** When something ended of which the cluster does not tell the time: told the same at every look. */
  private readonly endedAt = new Map<string, number>()
  private readonly closing = new AbortController()
  private isWatching = false

  constructor(private readonly parts: FleetParts) {
    this.room = parts.room(async () => this.alive())
    this.pools = parts.pools(this.room)
    this.launcher = parts.launcher(this.room, this.pools)
  }

  /** A cluster that is away is no reason not to begin: the others are there. */
  async open(): Promise<void> {
    for (const cluster of this.all) {
      cluster.start()
      cluster.subscribe((name) => {
        const known = cluster.knownByName(name)
        this.pools.heard(cluster, name)
        this.hint(known === undefined ? '' : known.instanceId)
      })
    }
    const listed = Promise.all(this.all.map((cluster) => cluster.whenListed()))
    await Promise.race([listed, this.parts.pauses.pause(LOOK_EVERY_MS * 8, this.closing.signal).catch(() => {})])
  }

  close(): void {
    this.closing.abort()
    for (const cluster of this.all) cluster.stop()
    this.listeners.clear()
  }

  subscribe(listener: (instanceId: string) => void): () => void {
    this.listeners.add(listener)
    if (!this.isWatching) void this.watchStarting()
    return () => this.listeners.delete(listener)
  }

  async admit(wish: RoomWish): Promise<RoomAnswer> {
    if (this.parts.clusterOf(wish.region) !== undefined) return this.room.admit(wish)
    return { ok: false, reason: 'too_large', message: runsNot(wish.region) }
  }

  keepWarm(pools: readonly WarmPool[]): Promise<readonly WarmServers[]> {
    return this.pools.keep(pools)
  }

  launch(spec: LaunchSpec): Promise<LaunchResult> {
    const cluster = this.parts.clusterOf(spec.region)
    if (cluster === undefined) return Promise.resolve(final(runsNot(spec.region)))
    return this.turns.run(spec.instanceId, () => reached(cluster, this.launcher.launch(cluster, spec)))
  }

  async stop(instanceId: string, graceMs: number): Promise<void> {
    await this.each(instanceId, async (cluster, one) => {
      if ((await this.surely(cluster, one)).is !== 'ended') await cluster.end(one.server, graceMs)
    })
  }

  /** Puts away what has ended; what runs is left alone. */
  forget(instanceId: string): Promise<void> {
    return this.turns.run(instanceId, () =>
      this.each(instanceId, async (cluster, one) => {
        const condition = await this.surely(cluster, one)
        if (condition.is === 'ended') await putAwayEnded(cluster, one)
        else if (condition.is === 'gone') await cluster.release(one.server)
      }),
    )
  }

  async prune(): Promise<void> {
    for (const cluster of this.all) await reached(cluster, cluster.notes.prune())
  }

  async logs(instanceId: string, limit: number, since = Number.NEGATIVE_INFINITY): Promise<ServerLogLine[]> {
    const lines: ServerLogLine[] = []
    for (const cluster of this.all) {
      await reached(
        cluster,
        (async () => {
          const found = await cluster.look(instanceId)
          const note = await cluster.notes.read(instanceId)
          lines.push(...note.lines)
          // One that is being put away is in the note already.
          for (const one of found)
            if (!note.attempts.includes(one.attempt)) lines.push(...(await cluster.log(one, Math.max(limit, 1))))
        })(),
      )
    }
    const wanted = lines.filter(({ at }) => at >= since)
    return limit <= 0 ? [] : wanted.slice(-limit)
  }

  async observe(of?: string): Promise<ObservedServer[]> {
    const seen = await Promise.all(
      this.all.map(async (cluster) => {
        if (of === undefined && cluster.silentMs() > REMEMBERED_MS) await reached(cluster, this.ask(cluster))
        const placed = of === undefined ? cluster.known() : await reached(cluster, cluster.look(of))
        return reached(cluster, this.observed(cluster, placed))
      }),
    )
    return seen.flat()
  }

  private async observed(cluster: Cluster, placed: readonly Placed[]): Promise<ObservedServer[]> {
    const judged = await Promise.all(placed.map(async (one) => ({ one, condition: await this.surely(cluster, one) })))
    const there = await onePerAttempt(
      cluster,
      judged.filter(({ condition }) => condition.is !== 'gone'),
    )
    const newest = new Map<string, number>()
    for (const { one } of there) newest.set(one.instanceId, Math.max(one.attempt, newest.get(one.instanceId) ?? 0))
    const told = there.filter(
      ({ one, condition }) => condition.is !== 'ended' || newest.get(one.instanceId) === one.attempt,
    )
    return Promise.all(told.map(({ one, condition }) => this.told(cluster, one, condition)))
  }

  private async told(cluster: Cluster, placed: Placed, condition: Condition): Promise<ObservedServer> {
    const { instanceId, attempt, server, pod } = placed
    const ports = portsOf(server)
    const isWarm = poolOf(server.metadata) !== undefined
    const base = {
      instanceId,
      attempt,
      ...(ports === undefined ? {} : { networkPorts: ports }),
      ...(isWarm ? { warm: true as const } : {}),
    }
    if (condition.is === 'ended') return { ...base, state: 'exited', exit: condition.exit }
    if (isWarm && !isDelivered(pod, placed)) return { ...base, state: 'starting', exit: null, waitsFor: UNTOLD }
    const isKnown = server.metadata.annotations?.[ANNOTATION.readyAt] !== undefined
    if (isKnown && ports !== undefined) return { ...base, state: 'ready', exit: null }
    const { ready, waitsFor } =
      condition.is === 'running'
        ? await this.parts.readiness.judge(
            server.metadata.uid,
            sinceTold(server, condition),
            readinessOf(server),
            ports,
          )
        : { ready: false, waitsFor: condition.is === 'coming' ? condition.why : undefined }
    if (!ready) return { ...base, state: 'starting', exit: null, ...(waitsFor === undefined ? {} : { waitsFor }) }
    // Kept in the cluster, so that a server too busy to accept does not fall back for the next service.
    await cluster.annotate(placed, { [ANNOTATION.readyAt]: new Date(this.parts.clock.now()).toISOString() })
    return { ...base, state: 'ready', exit: null }
  }

  /** What has no pod is told so only when there is none. */
  private async surely(cluster: Cluster, placed: Placed): Promise<Condition> {
    const { server, pod } = placed
    const { uid } = server.metadata
    const now = this.parts.clock.now()
    let condition = conditionOf(server, pod, now)
    if (condition.is === 'unknown') {
      const found = await cluster.podOf(server)
      condition = found === undefined ? lostPod(server, now) : conditionOf(server, found, now)
    }
    const askedAt = askedAtOf(server)
    if (!isTold(server, pod, placed) && condition.is !== 'gone') {
      const isLate = now >= askedAt + CONFIGURED_WITHIN_MS
      // It was nobody's attempt: whoever launches takes, or makes, another one.
      if (condition.is === 'ended' && !isLate && !(await this.isItsEnd(cluster, placed)))
        condition = { is: 'coming', why: UNTOLD }
      else if (isLate && !(await cluster.isClaimed(placed, placed.server)))
        condition = withoutConfiguration(askedAt, now)
    }
    if (condition.is !== 'ended') return condition
    const at = this.endedAt.get(uid) ?? condition.exit.at
    this.endedAt.set(uid, at)
    return { is: 'ended', exit: { ...condition.exit, at } }
  }

  /** Whether the end of one that was told nothing is its launch's: a cold one's, where the launch is it. */
  private async isItsEnd(cluster: Cluster, placed: Placed): Promise<boolean> {
    return poolOf(placed.server.metadata) === undefined && (await cluster.isClaimed(placed, placed.server))
  }

  private async each(instanceId: string, work: (cluster: Cluster, one: Placed) => Promise<void>): Promise<void> {
    for (const cluster of this.all) {
      await reached(
        cluster,
        (async () => {
          for (const one of await cluster.look(instanceId)) await work(cluster, one)
        })(),
      )
    }
  }

  private alive() {
    return this.all
      .flatMap((cluster) => cluster.known())
      .filter(({ server, pod }) => !['ended', 'gone'].includes(conditionOf(server, pod, this.parts.clock.now()).is))
      .map(({ instanceId, server }) => ({ instanceId, tierSize: sizeOf(server) }))
  }

  /** The cluster says nothing of ports that begin to accept: what is starting is looked at. */
  private async watchStarting(): Promise<void> {
    this.isWatching = true
    const ready = new Set<string>()
    while (!this.closing.signal.aborted && this.listeners.size > 0) {
      for (const cluster of this.all) {
        const starting = cluster.known().filter((one) => this.isStarting(one))
        const seen = await this.observed(cluster, starting).catch(() => [])
        for (const { instanceId, attempt, state } of seen) {
          const key = `${instanceId}/${attempt}`
          if (state === 'ready' && !ready.has(key)) this.hint(instanceId)
          if (state === 'ready') ready.add(key)
        }
      }
      if (ready.size > 1_000) ready.clear()
      const known = new Set(this.all.flatMap((cluster) => cluster.known().map(({ server }) => server.metadata.uid)))
      for (const uid of this.endedAt.keys()) if (!known.has(uid)) this.endedAt.delete(uid)
      await this.parts.pauses.pause(LOOK_EVERY_MS, this.closing.signal).catch(() => {})
    }
    this.isWatching = false
  }

  private isStarting({ server, pod }: Placed): boolean {
    const isKnown = server.metadata.annotations?.[ANNOTATION.readyAt] !== undefined
    return !isKnown && conditionOf(server, pod, this.parts.clock.now()).is === 'running'
  }

  /** Whether a cluster answers that was not heard for long. */
  private async ask(cluster: Cluster): Promise<void> {
    await cluster.look('none')
    if (cluster.silentMs() === Number.POSITIVE_INFINITY) throw new Unreachable('it has not been read yet')
  }

  private hint(instanceId: string): void {
    for (const listener of [...this.listeners]) listener(instanceId)
  }

  private get all(): readonly Cluster[] {
    return [...this.parts.clusters.values()]
  }
}

const runsNot = (region: string): string => `no cluster of this installation runs the region ${region}`

/** Without the cluster nothing can be told: the caller tries again later. The words name what is away, and nothing of what was sent. */
async function reached<T>(cluster: Cluster, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Unreachable || error instanceof ApiRefusal) {
      throw new ServiceError('UNAVAILABLE', `the cluster ${cluster.name} cannot be used now: ${error.message}`)
    }
    throw error
  }
}
