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

/** What has waited longer to start, and has no configuration, had it taken away: whoever launches gives it one sooner, or gives up. */
const CONFIGURED_WITHIN_MS = 120_000
/** Whoever launches withdraws what was made beside its launch at once; what stands for longer is left, it may be, by one that died. */
const LEFT_AFTER_MS = 30_000
const LEFT_AGAIN_MS = 60_000
const UNTOLD = 'it has not been told its configuration'

/** How the game servers of one cluster are told. */
export class Observer {
  /** When something ended of which the cluster does not tell the time: told the same at every look. */
  private readonly endedAt = new NotedTimes()
  private readonly writes: RefusedWrites
  /** When somebody's leavings were taken away last, or that was tried. */
  private readonly withdrawnAt = new NotedTimes()
  /** What plays, and is not about to end: it is told the same until the cluster says something else of it. */
  private readonly atRest = new WeakMap<Placed, ObservedServer>()

  constructor(
    readonly cluster: Cluster,
    private readonly readiness: Readiness,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.writes = new RefusedWrites(clock, logger)
  }

  /** As it is known, each instance by itself: one of which nothing can be told now is left out, and hides no other. */
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

  /** What of it is starting: it says nothing when its ports begin to accept. */
  starting(): Promise<ObservedServer[]> {
    const now = this.clock.now()
    const rising = this.cluster.heard
      .rising()
      .filter(({ server, pod }) => conditionOf(server, pod, now).is === 'running')
    return this.knownNow(rising)
  }

  /** The newest attempt of each instance, and older ones that still run. */
  async observed(placed: readonly Placed[]): Promise<ObservedServer[]> {
    const judged = await Promise.all(placed.map(async (one) => ({ one, condition: await this.surely(one) })))
    const { its: there, others } = await onePerAttempt(
      this.cluster,
      judged.filter(({ condition }) => condition.is !== 'gone'),
    )
    for (const { one } of others) this.withdrawLeft(one)
    // Let go of by a node that died as it would have taken it away: what knows which launch it is is kept for its end.
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

  /** What has no pod is told so only when there is none. */
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
      // It was nobody's attempt: whoever launches takes, or makes, another one.
      if (condition.is === 'ended' && !isLate && !(await this.isItsEnd(placed)))
        condition = { is: 'coming', why: UNTOLD }
      else if (isLate && !(await cluster.isClaimed(placed, server))) condition = withoutConfiguration(askedAt, now)
    }
    if (condition.is !== 'ended') return condition
    const at = this.endedAt.of(server) ?? condition.exit.at
    this.endedAt.note(server, at)
    return { is: 'ended', exit: { ...condition.exit, at } }
  }

  /** What is not there any more is remembered no longer. */
  forgetGone(): void {
    for (const noted of [this.endedAt, this.writes.refusedAt, this.withdrawnAt]) noted.forgetGone(this.cluster.heard)
  }

  /**
   * Another is its attempt, and it is told nothing: that is decided by the claim and by versions, at whatever time it is taken away. Nobody waits for
   * that, for the one that plays is told whatever becomes of this one.
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
    // Kept in the cluster, so that a server too busy to accept does not fall back for the next service.
    const readyAt = new Date(this.clock.now()).toISOString()
    await this.writes.unlessRefused(server, () => this.cluster.annotate(placed, { [ANNOTATION.readyAt]: readyAt }))
    return { ...base, state: 'ready', exit: null }
  }

  /**
   * Whether the end of one that does not look told is its launch's. Of a cold one: where the launch is it, and where it was asked to end, for nobody goes
   * on with it then. One that waited is put away by Agones as well, and another takes its place; but where it was put away here it had been told, by its
   * pod, which goes first: whoever was interrupted in the middle of that has left its note.
   */
  private async isItsEnd({ server, ...mark }: Placed): Promise<boolean> {
    const isAskedToEnd = server.metadata.deletionTimestamp !== undefined
    if (poolOf(server.metadata) === undefined) return isAskedToEnd || (await this.cluster.isClaimed(mark, server))
    return isAskedToEnd && wasLaunched(await this.cluster.notes.read(mark.instanceId), mark.attempt)
  }
}

/** Time changes nothing about it. */
const isAtRest = ({ server, pod }: Placed, { is }: Condition): boolean =>
  is === 'running' &&
  isKept(server.metadata) &&
  server.metadata.deletionTimestamp === undefined &&
  pod?.metadata.deletionTimestamp === undefined

function nothingWhereUnanswered(error: unknown): ObservedServer[] {
  if (isNoAnswer(error)) return []
  throw error
}
