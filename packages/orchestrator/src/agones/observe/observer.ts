import type { Clock, Logger, ObservedServer } from '@matchyard/core/ports'
import type { Cluster } from '../cluster'
import {
  type Condition,
  conditionOf,
  isKnownReady,
  lostPod,
  portsOf,
  readinessOf,
  startedAtOf,
  withoutConfiguration,
} from '../condition'
import { wasLaunched } from '../farewell/notes'
import { isKept } from '../finalizer'
import type { Placed } from '../heard'
import { isNoAnswer } from '../kube/no-answer'
import { onePerAttempt } from '../launch/claim'
import { withdraw } from '../launch/withdraw'
import { ANNOTATION, poolOf } from '../names'
import { askedAtOf, isDelivered, isTold, sinceTold } from '../pools/delivery'
import { NotedTimes } from './noted-times'
import type { Readiness } from './readiness'
import { RefusedWrites } from './refused-writes'

/**
 * Milliseconds after a launch within which the launching node writes the configuration or gives up. A game server that
 * has no configuration after this time will never get one.
 */
const CONFIGURED_WITHIN_MS = 120_000
/**
 * Milliseconds after which this node removes a surplus game server of an attempt. The launching node removes such a
 * game server at once, unless that node has crashed.
 */
const LEFT_AFTER_MS = 30_000
const LEFT_AGAIN_MS = 60_000
const UNTOLD = 'it has not been told its configuration'

/** Returns reports about the states of the game servers in one cluster. */
export class Observer {
  /** Exit times that the cluster does not store. They are kept here, so that each observation reports the same time. */
  private readonly endedAt = new NotedTimes()
  private readonly writes: RefusedWrites
  /** By game server: the time of the last try to remove a surplus game server. */
  private readonly withdrawnAt = new NotedTimes()
  /**
   * Reports about ready servers whose state time alone cannot change. A report is valid until the cluster changes one
   * of the server's objects.
   */
  private readonly atRest = new WeakMap<Placed, ObservedServer>()

  constructor(
    readonly cluster: Cluster,
    private readonly readiness: Readiness,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.writes = new RefusedWrites(clock, logger)
  }

  /**
   * Returns reports about known game servers, for each instance independently. An instance whose state cannot be read
   * now is left out, and the other instances are still reported.
   */
  async knownNow(known: readonly Placed[]): Promise<ObservedServer[]> {
    const byInstance = new Map<string, Placed[]>()
    for (const one of known) {
      const others = byInstance.get(one.instanceId)
      if (others === undefined) byInstance.set(one.instanceId, [one])
      else others.push(one)
    }
    const all: ObservedServer[] = []
    const asked: Promise<ObservedServer[]>[] = []
    for (const placed of byInstance.values()) {
      const resting = placed.length === 1 && placed[0] !== undefined ? this.atRest.get(placed[0]) : undefined
      if (resting !== undefined) all.push(resting)
      else asked.push(this.observed(placed).catch(nothingWhereUnanswered))
    }
    return [...all, ...(await Promise.all(asked)).flat()]
  }

  /**
   * Returns reports about running servers that may become ready, because no event is sent when the ports of a server
   * begin to accept connections.
   */
  starting(): Promise<ObservedServer[]> {
    const now = this.clock.now()
    const rising = this.cluster.heard
      .rising()
      .filter(({ server, pod }) => conditionOf(server, pod, now).is === 'running')
    return this.knownNow(rising)
  }

  /** Returns reports about the newest attempt of each instance, and about older attempts that still run. */
  async observed(placed: readonly Placed[]): Promise<ObservedServer[]> {
    const judged = await Promise.all(placed.map(async (one) => ({ one, condition: await this.surely(one) })))
    const { its: there, others } = await onePerAttempt(
      this.cluster,
      judged.filter(({ condition }) => condition.is !== 'gone'),
    )
    for (const { one } of others) this.withdrawLeft(one)
    // A node that began to remove this server may have crashed after it removed the finalizer. A server with a
    // configuration needs the finalizer, so that its exit is kept.
    for (const { one, condition } of there)
      if (condition.is === 'running' && isTold(one.server, one.pod, one) && !isKept(one.server.metadata))
        await this.writes.unlessRefused(one.server, () => this.cluster.keep(one.server))
    const newest = new Map<string, number>()
    for (const { one } of there) newest.set(one.instanceId, Math.max(one.attempt, newest.get(one.instanceId) ?? 0))
    const told = there.filter(
      ({ one, condition }) => condition.is !== 'ended' || newest.get(one.instanceId) === one.attempt,
    )
    return Promise.all(told.map(({ one, condition }) => this.told(one, condition)))
  }

  /**
   * Returns the condition of a game server. When the local view contains no pod, the method reads from the cluster
   * whether the pod exists.
   */
  async surely(placed: Placed): Promise<Condition> {
    const { cluster } = this
    const { server, pod } = placed
    const now = this.clock.now()
    let condition = conditionOf(server, pod, now)
    if (condition.is === 'unknown') {
      const found = await cluster.podOf(server)
      condition = found === undefined ? lostPod(server, now) : conditionOf(server, found, now)
    }
    const askedAt = askedAtOf(server)
    if (!isTold(server, pod, placed) && condition.is !== 'gone') {
      const isLate = now >= askedAt + CONFIGURED_WITHIN_MS
      // A server that ended without its configuration does not count as the attempt: the launching node takes or
      // creates another server.
      if (condition.is === 'ended' && !isLate && !(await this.isItsEnd(placed)))
        condition = { is: 'coming', why: UNTOLD }
      else if (isLate && !(await cluster.isClaimed(placed, server))) condition = withoutConfiguration(askedAt, now)
    }
    if (condition.is !== 'ended') return condition
    const at = this.endedAt.of(server) ?? condition.exit.at
    this.endedAt.note(server, at)
    return { is: 'ended', exit: { ...condition.exit, at } }
  }

  /** Removes the stored times of game servers that no longer exist. */
  forgetGone(): void {
    for (const noted of [this.endedAt, this.writes.refusedAt, this.withdrawnAt]) noted.forgetGone(this.cluster.heard)
  }

  /**
   * Removes a surplus game server: another game server has the claim of the attempt, and this game server has no
   * configuration. The claim and the versions of the objects make the removal safe at any time. The observation does
   * not wait for the removal, because it reports the game server with the claim.
   */
  private withdrawLeft(one: Placed): void {
    const now = this.clock.now()
    const withdrawnAt = this.withdrawnAt.of(one.server) ?? Number.NEGATIVE_INFINITY
    if (now < Math.max(askedAtOf(one.server) + LEFT_AFTER_MS, withdrawnAt + LEFT_AGAIN_MS)) return
    this.withdrawnAt.note(one.server, now)
    withdraw(this.cluster, one, one.server).catch((error: unknown) => {
      const words = { game_server: one.server.metadata.name, error: String(error) }
      this.logger.warn('a game server that was made beside its launch’s own could not be taken away', words)
    })
  }

  private async told(placed: Placed, condition: Condition): Promise<ObservedServer> {
    const { instanceId, attempt, server, pod } = placed
    const ports = portsOf(server)
    const isWarm = poolOf(server.metadata) !== undefined
    const base = {
      instanceId,
      attempt,
      ...(ports === undefined ? {} : { networkPorts: ports }),
      ...(isWarm ? { warm: server.metadata.name } : {}),
    }
    const begun = startedAtOf(pod)
    const since = begun === undefined ? {} : { startedAt: begun }
    if (condition.is === 'ended') return { ...base, ...since, state: 'exited', exit: condition.exit }
    if (isWarm && !isDelivered(pod, placed))
      return { ...base, ...since, state: 'starting', exit: null, waitsFor: UNTOLD }
    if (isKnownReady(server) && ports !== undefined) {
      const ready: ObservedServer = { ...base, state: 'ready', exit: null }
      if (isAtRest(placed, condition)) this.atRest.set(placed, ready)
      return ready
    }
    const { ready, waitsFor } =
      condition.is === 'running'
        ? await this.readiness.judge(server.metadata.uid, sinceTold(server, condition), readinessOf(server), ports)
        : { ready: false, waitsFor: condition.is === 'coming' ? condition.why : undefined }
    if (!ready)
      return { ...base, ...since, state: 'starting', exit: null, ...(waitsFor === undefined ? {} : { waitsFor }) }
    // The time is stored in the cluster. So a server that is too busy to accept connections still counts as ready after
    // a restart of the service.
    const readyAt = new Date(this.clock.now()).toISOString()
    await this.writes.unlessRefused(server, () => this.cluster.annotate(placed, { [ANNOTATION.readyAt]: readyAt }))
    return { ...base, state: 'ready', exit: null }
  }

  /**
   * Whether the end of a game server that seems to have no configuration is the end of its launch. For a cold game
   * server this is so when it has the claim of the launch, or when it was asked to end, because then no node continues
   * the launch. For a warm game server this is so when it was asked to end and the note of its instance contains the
   * attempt. The removal of an ended game server writes the note, then deletes the pod with the configuration, then the
   * game server; so an interrupted removal may leave only the game server. When there is no note, Agones removed the
   * game server, and the launch takes another game server.
   */
  private async isItsEnd({ server, ...mark }: Placed): Promise<boolean> {
    const isAskedToEnd = server.metadata.deletionTimestamp !== undefined
    if (poolOf(server.metadata) === undefined) return isAskedToEnd || (await this.cluster.isClaimed(mark, server))
    return isAskedToEnd && wasLaunched(await this.cluster.notes.read(mark.instanceId), mark.attempt)
  }
}

/** Whether the report about this ready server stays the same until one of its objects changes. */
const isAtRest = ({ server, pod }: Placed, { is }: Condition): boolean =>
  is === 'running' &&
  isKept(server.metadata) &&
  server.metadata.deletionTimestamp === undefined &&
  pod?.metadata.deletionTimestamp === undefined

function nothingWhereUnanswered(error: unknown): ObservedServer[] {
  if (isNoAnswer(error)) return []
  throw error
}
