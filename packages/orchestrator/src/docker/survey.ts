import type { Clock, ObservedServer, ServerExit } from '@matchyard/core/ports'
import { dropAbsent, type ReadinessJudge, type Verdict } from '../kit/index'
import { type Containers, type FoundContainer, hasEnded, isAlive, isUnstarted } from './containers'
import { askingUnless, EngineUnavailable } from './engine'
import { exitOf, wasStarted } from './exit-status'
import type { Layout } from './layout'
import { lookAt, type Watched, watchedOf } from './readiness'

/** How one ended, and when it had begun. */
interface Ended {
  readonly exit: ServerExit
  readonly startedAt: number
}

/** A launch starts what it made at once: what is so old and was never started was cut off by something. */
const UNSTARTED_MS = 120_000

/** Says what is there: from the engine's list, and from what it tells about each container once. */
export class Survey {
  // By container, what does not change any more.
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

  /** Each instance's newest attempt, and older ones that still run. */
  async observe(): Promise<ObservedServer[]> {
    const found = await this.containers.list()
    dropAbsent(new Set(found.map(({ id }) => id)), this.watched, this.ready, this.exits, this.delivered, this.untold)
    await this.sweep(found.filter(isUnstarted))
    const told = await Promise.all(found.map((one) => this.isTold(one)))
    const launched = found.filter((one, index) => told[index] === true && (isAlive(one) || hasEnded(one)))
    const newest = new Map(launched.map(({ instanceId, attempt }) => [instanceId, attempt])) // sorted: the last one stays
    const seen = await Promise.all(
      launched
        .filter((one) => isAlive(one) || newest.get(one.instanceId) === one.attempt)
        .map((one) => this.observed(one).catch((error: unknown) => this.listed(one, error))),
    )
    return seen.filter((one) => one !== undefined)
  }

  /** What waited and was given to a launch is that launch's once it has its configuration: before, the launch goes on. */
  private async isTold(found: FoundContainer): Promise<boolean> {
    if (found.warmId === undefined || this.delivered.has(found.id)) return true
    const isTold = await this.layout.isDelivered(found, found.warmId)
    const since = this.untold.get(found.id) ?? this.clock.now()
    if (!isTold) this.untold.set(found.id, since)
    // Nobody goes on with it: then it is seen, and dealt with as what it is.
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

  /** Of a container that the engine lists and cannot tell about: what the list says. The others are told all the same. */
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
    // Kept, so that a server too busy to accept just after a restart of the service does not fall back.
    if (ready && !already) await this.layout.markReady(found).catch(() => {})
    if (ready) return { ...markOf(found), state: 'ready', exit: null }
    const more = waitsFor === undefined ? {} : { waitsFor }
    return { ...markOf(found), state: 'starting', exit: null, startedAt: watched.startedAt, ...more }
  }

  private async judged(found: FoundContainer, watched: Watched): Promise<Verdict> {
    const verdict = await this.judge.judge(found.id, watched, lookAt(watched), this.clock.now())
    return verdict.ready && !(await this.stillRuns(found)) ? { ready: false } : verdict
  }

  /** Asked last: after the end of a container its address may lead anywhere, and something there may accept. */
  private async stillRuns(found: FoundContainer): Promise<boolean> {
    return (await askingUnless(this.containers.of(found).inspect(), 404))?.State.Running === true
  }

  private async sweep(unstarted: readonly FoundContainer[]): Promise<void> {
    for (const one of unstarted) {
      if (this.clock.now() - one.createdAt < UNSTARTED_MS) continue
      try {
        if (await this.containers.removeUnstarted(one)) await this.layout.dropLaunch(one)
      } catch (error) {
        if (error instanceof EngineUnavailable) throw error // else: tried again at the next look
      }
    }
  }
}

const markOf = ({ instanceId, attempt, warmId }: FoundContainer) => ({
  instanceId,
  attempt,
  ...(warmId === undefined ? {} : { warm: warmId }),
})
