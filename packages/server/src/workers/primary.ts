import type { Logger, Timers } from '@matchyard/core/ports'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { SummedFigures } from '../metrics/summed-figures'
import { workerMetrics } from '../metrics/worker-metrics'
import type { StopSignal } from '../service/signals'
import type { Answers } from './channel'
import {
  type DescribedOrchestrator,
  FIRST,
  OF_GAME_SERVERS_WITHIN_MS,
  type OfGameServers,
  type OfPrimary,
} from './words'
import { type Ended, WorkerProcess } from './worker-process'

/**
 * Milliseconds before an ended worker is started again. The pause doubles at each further end, up to `LAST_PAUSE_MS`.
 */
const FIRST_PAUSE_MS = 100
const LAST_PAUSE_MS = 10_000
/** Milliseconds for which a worker must run until its next pause is `FIRST_PAUSE_MS` again. */
const SETTLED_MS = 30_000
/**
 * Milliseconds after which a worker that has not sent its metrics counts as stalled; its previous values are then
 * shown.
 */
const FIGURES_WITHIN_MS = 1_000
/**
 * Maximum milliseconds of a stop. Running requests get ten seconds, and running jobs get the same ten seconds. A worker
 * that still runs at the end is killed.
 */
const STOP_WITHIN_MS = 19_000

export interface PrimaryOptions {
  readonly count: number
  /** Additional environment variables of every worker. */
  readonly environment: Readonly<Record<string, string>>
  readonly timers: Timers
  readonly logger: Logger
  /** Returns the number of log lines that this process dropped. */
  readonly droppedLogLines: () => number
}

/** Thrown when a worker ended before all workers accepted calls. The log lines of that worker give the reason. */
export class FailedStart extends Error {
  override readonly name = 'FailedStart'
}

interface Slot {
  process: WorkerProcess
  /** Time by `performance.now()` at which the worker began to listen; undefined before that. */
  upAt: number | undefined
  up: () => void
}

/** Starts the workers of one node, restarts workers that end, and stops all of them. */
export class Primary {
  private readonly slots = new Map<number, Slot>()
  private readonly figures = new SummedFigures()
  private readonly registry = new Registry()
  private readonly countRestart: () => void
  private readonly pauses = new Map<number, number>()
  private described: DescribedOrchestrator | null = null
  private started = false
  private failStart: (error: FailedStart) => void = () => {}
  private stopping = false
  /** Address at which the workers listen; empty until the first worker listens. */
  baseUrl = ''

  constructor(private readonly options: PrimaryOptions) {
    collectDefaultMetrics({ register: this.registry })
    this.countRestart = workerMetrics(this.registry, {
      up: () => [...this.slots.values()].filter(({ upAt }) => upAt !== undefined).length,
      droppedLogLines: options.droppedLogLines,
    })
  }

  /**
   * Resolves when all workers accept calls. The first worker starts alone, because it migrates the storage and finds
   * faults of the configuration. Rejects with FailedStart.
   */
  async start(): Promise<void> {
    const failed = new Promise<never>((_, reject) => {
      this.failStart = reject
    })
    await Promise.race([this.beginAll(), failed])
    this.started = true
  }

  private async beginAll(): Promise<void> {
    await this.begin(FIRST)
    const others = Array.from({ length: this.options.count - FIRST }, (_, index) => index + FIRST + 1)
    await Promise.all(others.map((number) => this.begin(number)))
  }

  /** Tells all workers to stop. A worker that has not ended after 19 seconds is killed. */
  async stop(signal: StopSignal): Promise<void> {
    this.stopping = true
    const processes = [...this.slots.values()].map(({ process }) => process)
    // A worker may end without answering, which is not an error.
    for (const { channel } of processes) channel.ask('stop', signal, STOP_WITHIN_MS).catch(() => {})
    const cancel = this.options.timers.after(STOP_WITHIN_MS, () => {
      for (const process of processes) process.kill()
    })
    await Promise.all(processes.map(({ ended }) => ended))
    cancel()
  }

  /** Starts a worker. Resolves when the worker accepts calls. */
  private begin(number: number): Promise<void> {
    const { environment, timers } = this.options
    const process = new WorkerProcess(number, environment, timers, this.answersTo(number))
    void process.ended.then((how) => this.onEnd(number, how))
    return new Promise<void>((resolve) => {
      this.slots.set(number, { process, upAt: undefined, up: resolve })
    })
  }

  private answersTo(number: number): Answers<OfPrimary> {
    const first =
      <Name extends keyof OfGameServers & string>(name: Name) =>
      (given: OfGameServers[Name]['given']): Promise<OfGameServers[Name]['answer']> => {
        const slot = this.slots.get(FIRST)
        if (slot === undefined) throw new Error('it is being started')
        return slot.process.channel.ask(name, given, OF_GAME_SERVERS_WITHIN_MS[name])
      }
    return {
      up: async ({ baseUrl, orchestrator }) => {
        const slot = this.slots.get(number)
        if (slot === undefined) return undefined
        if (number === FIRST) Object.assign(this, { baseUrl, described: orchestrator })
        slot.upAt = performance.now()
        slot.up()
        return undefined
      },
      orchestrator: async () => this.described,
      page: () => this.page(),
      logs: first('logs'),
      prepareImage: first('prepareImage'),
      prune: first('prune'),
    }
  }

  private async page(): Promise<string> {
    await Promise.all(
      [...this.slots].map(async ([number, { process }]) => {
        const figures = await process.channel.ask('figures', undefined, FIGURES_WITHIN_MS).catch(() => undefined)
        // If the worker has ended meanwhile, its counts are in the sums already.
        if (figures !== undefined && this.slots.get(number)?.process === process) this.figures.heard(number, figures)
      }),
    )
    return this.figures.page(await this.registry.getMetricsAsJSON())
  }

  private onEnd(number: number, how: Ended): void {
    const upAt = this.slots.get(number)?.upAt
    this.slots.delete(number)
    this.figures.ended(number)
    if (this.stopping) return
    // Before the start is complete, any worker that ends makes the start fail, even if it accepted calls already,
    // because the operator configured this number of workers.
    if (!this.started) {
      this.failStart(new FailedStart(`worker ${number} ended before all of them listened`))
      return
    }
    const settled = upAt !== undefined && performance.now() - upAt >= SETTLED_MS
    const pauseMs = settled ? FIRST_PAUSE_MS : (this.pauses.get(number) ?? FIRST_PAUSE_MS)
    this.pauses.set(number, Math.min(2 * pauseMs, LAST_PAUSE_MS))
    const { code, signal } = how
    // Exit code 0 means that something other than the primary asked the worker to stop. That is not a fault.
    const tell = code === 0 ? 'info' : 'warn'
    this.options.logger[tell]('a worker ended and is started again', { worker: number, code, signal, in_ms: pauseMs })
    this.countRestart()
    this.options.timers.after(pauseMs, () => {
      if (!this.stopping) void this.begin(number)
    })
  }
}
