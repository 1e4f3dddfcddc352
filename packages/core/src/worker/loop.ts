import type { Signal } from '../ports/storage/index'
import { SECOND_MS } from '../shared/time'
import type { Context } from '../use-cases/context'
import type { NodeWatch } from '../use-cases/servers/node-watch'
import { reconcileServers } from '../use-cases/servers/reconcile'
import type { Directors } from './directors'
import { JobRunner } from './run-due-jobs'

/** What is looked at this often though no signal came: signals are hints and may be lost. */
const POLL_MS = 1 * SECOND_MS
/** Changes of servers made elsewhere are looked at together; those made here have jobs of their own. */
const SERVER_SIGNAL_MS = 200
/** A pause after a failure, so that a storage that is down is not hammered. */
const FAILURE_PAUSE_MS = 500

/** One thing that is done again and again: at once when asked for, else when it is due. Never twice at a time. */
class Beat {
  private cancel: (() => void) | undefined
  private dueAt = Number.POSITIVE_INFINITY
  private running: Promise<void> | undefined
  private stopped = false

  constructor(
    private readonly ctx: Context,
    private readonly name: string,
    /** Answers when it is due again. */
    private readonly work: () => Promise<number>,
  ) {}

  /** Runs no later than `at`. */
  wake(at: number): void {
    if (this.stopped || at >= this.dueAt) return
    this.dueAt = at
    if (this.running === undefined) this.arm()
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.cancel?.()
    await this.running
  }

  private arm(): void {
    this.cancel?.()
    if (this.stopped || !Number.isFinite(this.dueAt)) return
    this.cancel = this.ctx.timers.after(Math.max(0, this.dueAt - this.ctx.clock.now()), () => {
      this.running = this.run().finally(() => {
        this.running = undefined
        this.arm()
      })
    })
  }

  private async run(): Promise<void> {
    this.dueAt = Number.POSITIVE_INFINITY
    try {
      this.wake(await this.work())
    } catch (error) {
      this.ctx.logger.error(`${this.name} failed and is tried again`, { error: String(error) })
      this.wake(this.ctx.clock.now() + FAILURE_PAUSE_MS)
    }
  }
}

/** Repeats the ticks of a node until it is stopped: the only place that waits for time to pass. */
export class WorkerLoop {
  private readonly queues = new Map<string, Beat>()
  private readonly jobs: Beat
  private readonly runner: JobRunner
  private readonly servers: Beat
  private readonly presence: Beat
  private readonly waiting: Beat
  private readonly nodes: Beat
  private unsubscribe: (() => void)[] = []

  constructor(
    private readonly ctx: Context,
    private readonly directors: Directors,
    nodes: NodeWatch,
  ) {
    this.runner = new JobRunner(ctx, () => this.jobs.wake(ctx.clock.now()))
    this.jobs = new Beat(ctx, 'running jobs', () => this.runJobs())
    this.servers = new Beat(ctx, 'reconciling servers', () => this.reconcile())
    this.presence = new Beat(ctx, 'noting open streams', () => this.notePresence())
    this.waiting = new Beat(ctx, 'looking for waiting tickets', () => this.lookForTickets())
    this.nodes = new Beat(ctx, 'watching the other nodes', async () => {
      await nodes.look()
      return ctx.clock.now() + nodes.everyMs
    })
  }

  start(): void {
    const { storage, orchestrator, clock } = this.ctx
    this.unsubscribe = [
      storage.subscribe((signal) => this.onSignal(signal)),
      orchestrator.subscribe(() => this.servers.wake(clock.now())),
    ]
    for (const beat of [this.jobs, this.servers, this.presence, this.waiting, this.nodes]) beat.wake(clock.now())
  }

  /** Finishes what is in hand and starts nothing new. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.unsubscribe.splice(0)) unsubscribe()
    const beats = [this.jobs, this.servers, this.presence, this.waiting, this.nodes, ...this.queues.values()]
    await Promise.all(beats.map((beat) => beat.stop()))
    await this.runner.drain()
  }

  private onSignal({ topic, id }: Signal): void {
    const now = this.ctx.clock.now()
    if (topic === 'tickets' || topic === 'queue') this.queue(id).wake(now)
    else if (topic === 'jobs') this.jobs.wake(now)
    else if (topic === 'server') this.servers.wake(now + SERVER_SIGNAL_MS)
    else if (topic === 'resync' || topic === 'reset')
      for (const beat of [this.jobs, this.waiting, this.servers]) beat.wake(now)
  }

  private queue(queueKey: string): Beat {
    const known = this.queues.get(queueKey)
    if (known !== undefined) return known
    const beat = new Beat(this.ctx, `matchmaking in ${queueKey}`, async () => {
      const { dueAt } = await this.directors.run(queueKey)
      return dueAt ?? Number.POSITIVE_INFINITY
    })
    this.queues.set(queueKey, beat)
    return beat
  }

  private async runJobs(): Promise<number> {
    const claimed = await this.runner.claim()
    const now = this.ctx.clock.now()
    // With all hands full, whichever job is done next wakes this.
    if (this.runner.isFull) return now + POLL_MS
    if (claimed > 0) return now
    return Math.min((await this.ctx.storage.jobs.nextRunAt()) ?? Number.POSITIVE_INFINITY, now + POLL_MS)
  }

  private async reconcile(): Promise<number> {
    await reconcileServers(this.ctx)
    return this.ctx.clock.now() + POLL_MS
  }

  private async notePresence(): Promise<number> {
    const now = this.ctx.clock.now()
    await this.ctx.presence.sweep(now)
    return Math.min(this.ctx.presence.nextSweepAt() ?? Number.POSITIVE_INFINITY, now + POLL_MS)
  }

  /** Queues in which somebody waits are looked at here, whatever signals were lost and whoever held the lease before. */
  private async lookForTickets(): Promise<number> {
    const now = this.ctx.clock.now()
    for (const { queueKey } of await this.ctx.storage.tickets.waiting()) {
      this.queue(queueKey).wake(now)
    }
    return now + POLL_MS
  }
}
