import type { Clock, ObservedServer, ServerExit } from '@matchyard/core/ports'
import { dropAbsent, type ReadinessJudge, type Verdict } from '../kit/index'
import { type Containers, type FoundContainer, hasEnded, isAlive, isUnstarted } from './containers'
import { askingUnless, EngineUnavailable } from './engine'
import { exitOf, wasStarted } from './exit-status'
import type { Layout } from './layout'
import { lookAt, type Watched, watchedOf } from './readiness'

/** The exit of a container, and the time of its start in milliseconds since 1970. */
interface Ended {
  readonly exit: ServerExit
  readonly startedAt: number
}

/**
 * Milliseconds after which an unstarted container counts as abandoned, because a launch starts its container at once.
 */
const UNSTARTED_MS = 120_000

/**
 * Observes the game servers: lists the containers, and reads the details of a container only while its state may still
 * change.
 */
export class Survey {
  // By container id: details that no longer change.
  private readonly watched = new Map<string, Watched>()
  private readonly ready = new Set<string>()
  private readonly exits = new Map<string, Ended>()
  private readonly delivered = new Set<string>()
  private readonly untold = new Map<string, number>()

  constructor(
    private readonly containers: Containers,
    private readonly layout: Layout,
    private readonly clock: Clock,
    private readonly judge: ReadinessJudge,
  ) {}

  /** Returns the newest attempt of each instance, and older attempts that still run. */
  async observe(): Promise<ObservedServer[]> {
    const found = await this.containers.list()
    dropAbsent(new Set(found.map(({ id }) => id)), this.watched, this.ready, this.exits, this.delivered, this.untold)
    await this.sweep(found.filter(isUnstarted))
    const told = await Promise.all(found.map((one) => this.isTold(one)))
    const launched = found.filter((one, index) => told[index] === true && (isAlive(one) || hasEnded(one)))
    const newest = new Map(launched.map(({ instanceId, attempt }) => [instanceId, attempt])) // sorted: the newest stays
    const seen = await Promise.all(
      launched
        .filter((one) => isAlive(one) || newest.get(one.instanceId) === one.attempt)
        .map((one) => this.observed(one).catch((error: unknown) => this.listed(one, error))),
    )
    return seen.filter((one) => one !== undefined)
  }

  /**
   * Whether a container of a launch has its configuration. Until then, the launch of a warm server is still in
   * progress.
   */
  private async isTold(found: FoundContainer): Promise<boolean> {
    if (found.warmId === undefined || this.delivered.has(found.id)) return true
    const isTold = await this.layout.isDelivered(found, found.warmId)
    const since = this.untold.get(found.id) ?? this.clock.now()
    if (!isTold) this.untold.set(found.id, since)
    // The launch was abandoned. The container is reported, so that the core can end it.
    if (isTold || this.clock.now() - since >= UNSTARTED_MS) this.delivered.add(found.id)
    return this.delivered.has(found.id)
  }

  private async observed(found: FoundContainer): Promise<ObservedServer | undefined> {
    const { id } = found
    const known = this.exits.get(id)
    if (known !== undefined) return { ...markOf(found), state: 'exited', ...known }
    if (isAlive(found) && this.ready.has(id)) return { ...markOf(found), state: 'ready', exit: null }
    const watched = this.watched.get(id)
    if (isAlive(found) && watched !== undefined) return this.living(found, watched)
    const details = await askingUnless(this.containers.of(found).inspect(), 404)
    if (details === undefined) return undefined
    if (!details.State.Running && wasStarted(details)) {
      const ended = { exit: exitOf(details, this.clock.now()), startedAt: Date.parse(details.State.StartedAt) }
      this.exits.set(id, ended)
      this.judge.forget(id)
      return { ...markOf(found), state: 'exited', ...ended }
    }
    const now = watchedOf(details)
    this.watched.set(id, now)
    return this.living(found, now)
  }

  /**
   * Returns the state of a container whose details cannot be read, from the engine's list alone. So a fault of this
   * container does not affect other containers.
   */
  private listed(found: FoundContainer, error: unknown): ObservedServer {
    if (error instanceof EngineUnavailable) throw error
    const { id, instanceId, attempt } = found
    if (isAlive(found)) return { ...markOf(found), state: this.ready.has(id) ? 'ready' : 'starting', exit: null }
    const exit = { code: null, signal: null, reason: 'not_told_by_the_engine', at: this.clock.now() }
    return { instanceId, attempt, state: 'exited', exit }
  }

  private async living(found: FoundContainer, watched: Watched): Promise<ObservedServer> {
    const { id } = found
    const already = await this.layout.wasReady(found)
    const verdict: Verdict = already ? { ready: true } : await this.judged(found, watched)
    const { ready, waitsFor } = verdict
    if (ready) {
      this.ready.add(id)
      this.judge.forget(id)
    }
    // The readiness is stored. So a server still counts as ready when it is too busy to accept a connection after a
    // restart of the service.
    if (ready && !already) await this.layout.markReady(found).catch(() => {})
    if (ready) return { ...markOf(found), state: 'ready', exit: null }
    const more = waitsFor === undefined ? {} : { waitsFor }
    return { ...markOf(found), state: 'starting', exit: null, startedAt: watched.startedAt, ...more }
  }

  private async judged(found: FoundContainer, watched: Watched): Promise<Verdict> {
    const verdict = await this.judge.judge(found.id, watched, lookAt(watched), this.clock.now())
    return verdict.ready && !(await this.stillRuns(found)) ? { ready: false } : verdict
  }

  /**
   * Whether the container still runs. This is checked last, because the address of an ended container may already
   * belong to another container.
   */
  private async stillRuns(found: FoundContainer): Promise<boolean> {
    return (await askingUnless(this.containers.of(found).inspect(), 404))?.State.Running === true
  }

  private async sweep(unstarted: readonly FoundContainer[]): Promise<void> {
    for (const one of unstarted) {
      if (this.clock.now() - one.createdAt < UNSTARTED_MS) continue
      try {
        if (await this.containers.removeUnstarted(one)) await this.layout.dropLaunch(one)
      } catch (error) {
        if (error instanceof EngineUnavailable) throw error // other errors: the next observation tries again
      }
    }
  }
}

const markOf = ({ instanceId, attempt, warmId }: FoundContainer) => ({
  instanceId,
  attempt,
  ...(warmId === undefined ? {} : { warm: warmId }),
})
