import { ServiceError } from '@matchyard/core'
import {
  type Among,
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
  type Where,
} from '@matchyard/core/ports'
import { final, type RoomKeeper } from '../kit/index'
import type { Cluster } from './cluster'
import { conditionOf, sizeOf } from './condition'
import { isHeard } from './farewell/ended-note'
import type { Placed } from './heard'
import type { Pauses } from './kube/client'
import { Unreachable } from './kube/errors'
import { isNoAnswer } from './kube/no-answer'
import type { Launcher } from './launch/launcher'
import { putAwayEnded } from './launch/put-away-ended'
import { withdraw } from './launch/withdraw'
import { poolOf } from './names'
import { Hints } from './observe/hints'
import { Observer } from './observe/observer'
import type { Readiness } from './observe/readiness'
import { isTold } from './pools/delivery'
import type { WarmPools } from './pools/warm-pools'

/** Milliseconds that `open` waits for the first lists of the clusters. Then it continues without these lists. */
const LISTED_WITHIN_MS = 2_000
/**
 * Milliseconds without any message from a cluster, after which the cluster counts as unreachable. The service then no
 * longer reports the cluster's servers from the local view.
 */
const REMEMBERED_MS = 120_000

export interface FleetParts {
  readonly clusters: ReadonlyMap<string, Cluster>
  /** Returns the cluster of a region; undefined when no cluster runs the region. */
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

/**
 * The game servers of one installation, in all of its clusters. Work in one cluster continues when another cluster is
 * unreachable.
 */
export class AgonesFleet {
  private readonly turns = new KeyedQueue()
  private readonly observers: readonly Observer[]
  private readonly room: RoomKeeper
  private readonly launcher: Launcher
  private readonly pools: WarmPools
  private readonly closing = new AbortController()
  private readonly hints: Hints

  constructor(private readonly parts: FleetParts) {
    const { clusters, readiness, clock } = parts
    this.observers = [...clusters.values()].map((cluster) => new Observer(cluster, readiness, clock, parts.logger))
    this.hints = new Hints(this.observers, parts.pauses, this.closing.signal)
    this.room = parts.room(async () => this.alive())
    this.pools = parts.pools(this.room)
    this.launcher = parts.launcher(this.room, this.pools)
  }

  /**
   * Starts to watch the clusters. Resolves even when a cluster is unreachable, because the other clusters can be used.
   */
  async open(): Promise<void> {
    for (const { cluster } of this.observers) {
      cluster.heard.start()
      cluster.heard.subscribe((name, instanceId = '') => {
        this.pools.heard(cluster, name)
        this.hints.tell(instanceId)
      })
    }
    const listed = Promise.all(this.observers.map(({ cluster }) => cluster.heard.whenListed()))
    await Promise.race([listed, this.parts.pauses.pause(LISTED_WITHIN_MS, this.closing.signal).catch(() => {})])
  }

  close(): void {
    this.closing.abort()
    for (const { cluster } of this.observers) cluster.heard.stop()
    this.hints.close()
  }

  subscribe(listener: (instanceId: string) => void): () => void {
    return this.hints.subscribe(listener)
  }

  async admit(wish: RoomWish): Promise<RoomAnswer> {
    if (this.parts.clusterOf(wish.region) !== undefined) return this.room.admit(wish)
    return { ok: false, reason: 'too_large', message: runsNot(wish.region) }
  }

  keepWarm(pools: readonly WarmPool[]): Promise<readonly WarmServers[]> {
    // The pods of a pool have one manifest, in which no secret may be. Such servers start when their match is made.
    return this.pools.keep(pools.filter(({ secretVariables }) => secretVariables === undefined))
  }

  launch(spec: LaunchSpec): Promise<LaunchResult> {
    const cluster = this.parts.clusterOf(spec.region)
    if (cluster === undefined) return Promise.resolve(final(runsNot(spec.region)))
    return this.turns.run(spec.instanceId, () => reached(cluster, this.launcher.launch(cluster, spec)))
  }

  async stop(instanceId: string, graceMs: number, where: Where): Promise<void> {
    await this.each(instanceId, where, async (observer, one) => {
      if ((await observer.surely(one)).is === 'ended') return
      // A warm game server without a configuration never ran as this instance, so the stop need not wait for an exit.
      const isUntold = poolOf(one.server.metadata) !== undefined && !isTold(one.server, one.pod, one)
      if (isUntold && (await withdraw(observer.cluster, one, one.server))) return
      await observer.cluster.end(one.server, graceMs)
    })
  }

  /**
   * Removes the ended game servers of an instance from the cluster, and keeps the end of their logs; running game
   * servers stay.
   */
  forget(instanceId: string, where: Where): Promise<void> {
    return this.turns.run(instanceId, () =>
      this.each(instanceId, where, async (observer, one) => {
        const condition = await observer.surely(one)
        if (condition.is === 'ended') await putAwayEnded(observer.cluster, one)
        else if (condition.is === 'gone') await observer.cluster.release(one.server)
      }),
    )
  }

  /** Prunes the notes and pods of all clusters. If a cluster is unreachable now, a later call prunes it. */
  async prune(): Promise<void> {
    const pruned = this.observers.map(({ cluster }) =>
      cluster.prune().catch((error: unknown) => {
        if (!(error instanceof Unreachable)) throw error
        this.parts.logger.debug('a cluster is tidied up later', { cluster: cluster.name, error: error.message })
      }),
    )
    await allOf(pruned)
  }

  async logs(
    instanceId: string,
    { limit, since = Number.NEGATIVE_INFINITY, ...where }: { limit: number; since?: number } & Where,
  ): Promise<ServerLogLine[]> {
    const read = await Promise.allSettled(
      this.whoHas(instanceId, where).map(({ cluster }) => reached(cluster, linesIn(cluster, instanceId, limit))),
    )
    const lines = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const failed = read.find((one) => one.status === 'rejected')
    // The method returns lines from one cluster even when another cluster is unreachable.
    if (lines.length === 0 && failed !== undefined) throw failed.reason
    const wanted = lines.filter(({ at }) => at >= since)
    return limit <= 0 ? [] : wanted.slice(-limit)
  }

  async observe(of?: string, { among, ...where }: Where & Among = {}): Promise<ObservedServer[]> {
    if (of === undefined) return this.observeKnown(among)
    const seen = this.whoHas(of, where).map((observer) =>
      reached(
        observer.cluster,
        observer.cluster.look(of).then((placed) => observer.observed(placed)),
      ),
    )
    return (await Promise.all(seen)).flat()
  }

  /**
   * Returns the servers from the local views of the clusters, without the servers of unreachable clusters. Rejects with
   * `UNAVAILABLE` when all clusters are unreachable.
   */
  private async observeKnown(among: ReadonlySet<string> | undefined): Promise<ObservedServer[]> {
    const heard = this.observers.filter(({ cluster }) => cluster.heard.silentMs() <= REMEMBERED_MS)
    const [first] = this.observers
    if (heard.length === 0 && first !== undefined) throw awayFor(first.cluster, silenceOf(first.cluster))
    return (await Promise.all(heard.map((observer) => observer.knownNow(observer.cluster.heard.known(among))))).flat()
  }

  /**
   * Returns the observers of the clusters that may have an instance: the cluster of its region, and each cluster in
   * whose local view the instance is, because the region may have moved to another cluster. Returns all observers when
   * neither is known.
   */
  private whoHas(instanceId: string, { region }: Where): readonly Observer[] {
    if (this.observers.length === 1) return this.observers
    const its = region === undefined ? undefined : this.parts.clusterOf(region)
    const likely = this.observers.filter(({ cluster }) => cluster === its || cluster.heard.holds(instanceId))
    return likely.length === 0 ? this.observers : likely
  }

  /**
   * Calls `work` for each game server of an instance, in each cluster independently. When the work failed in a cluster,
   * rejects after the work in all clusters has ended.
   */
  private async each(
    instanceId: string,
    where: Where,
    work: (observer: Observer, one: Placed) => Promise<void>,
  ): Promise<void> {
    const inEach = this.whoHas(instanceId, where).map((observer) =>
      reached(
        observer.cluster,
        (async () => {
          for (const one of await observer.cluster.look(instanceId)) await work(observer, one)
        })(),
      ),
    )
    await allOf(inEach)
  }

  private alive() {
    return this.observers
      .flatMap(({ cluster }) => cluster.heard.known())
      .filter(({ server, pod }) => !['ended', 'gone'].includes(conditionOf(server, pod, this.parts.clock.now()).is))
      .map(({ instanceId, server }) => ({ instanceId, tierSize: sizeOf(server) }))
  }
}

const runsNot = (region: string): string => `no cluster of this installation runs the region ${region}`

const silenceOf = (cluster: Cluster): string => {
  const seconds = Math.round(cluster.heard.silentMs() / 1_000)
  return Number.isFinite(seconds) ? `it was not heard for ${seconds} s` : 'it has not been read yet'
}

async function linesIn(cluster: Cluster, instanceId: string, limit: number): Promise<readonly ServerLogLine[]> {
  const found = await cluster.look(instanceId)
  const note = await cluster.notes.read(instanceId)
  const lines = [...note.lines]
  // The note already contains the log lines of an attempt that is being removed, and of an attempt with a log that was
  // followed to its end.
  for (const one of found)
    if (!note.attempts.includes(one.attempt) && !isHeard(note, one.attempt))
      lines.push(...(await cluster.logs.said(one, Math.max(limit, 1))))
  return lines
}

/** Waits until all promises have settled, then rejects with the first failure, if there is one. */
async function allOf(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/**
 * Rejects with `UNAVAILABLE` when the cluster refuses a call or does not answer, so that the caller tries again later.
 * The message contains the cluster's name and no content of the request.
 */
async function reached<T>(cluster: Cluster, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isNoAnswer(error) ? awayFor(cluster, error.message) : error
  }
}

const awayFor = ({ name }: Cluster, words: string): ServiceError =>
  new ServiceError('UNAVAILABLE', `the cluster ${name} cannot be used now: ${words}`)
